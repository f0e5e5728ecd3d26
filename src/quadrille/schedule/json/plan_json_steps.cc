#include "quadrille/schedule/json/plan_json_steps.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille::plan_json {

void StepsReader::open(In inside) {
  switch (inside) {
    case In::kTransfer:
      op_ = TransferOp::kDefault;
      slots_ = {};
      return;
    case In::kFromSlots:
      slots_.from = 0;
      return;
    case In::kPath:
      nodes_.clear();
      return;
    case In::kBlocks:
      blocks_.clear();
      return;
    default:
      return;
  }
}

void StepsReader::close(In inside, uint64_t count) {
  switch (inside) {
    case In::kPath:
      if (count < 2) throw InputError("a path is at least two nodes");
      path_arcs(problem_->topology(), nodes_, arcs_);
      return;
    case In::kFromSlots:
      if (count == 0) throw InputError("from lists the slots that are sent; without it all are");
      return;
    case In::kBlock: {
      const std::optional<BlockId> block =
          problem_->find_block(std::span<const uint32_t>(numbers_).first(count));
      if (!block) throw InputError(no_such_block(*problem_));
      blocks_.push_back(*block);
      return;
    }
    default:
      return;
  }
}

void StepsReader::number(Key key, uint64_t place, uint64_t value) {
  switch (key) {
    case Key::kPathNode:
      return add_node(value);
    case Key::kBlockPart:
      if (place >= numbers_.size()) throw InputError(no_such_block(*problem_));
      numbers_[place] = small_number(value, "a number in a block");
      return;
    case Key::kFromSlot:
      slots_.from |= 1U << slot_number(value);
      return;
    case Key::kToSlot:
      slots_.to = slot_number(value);
      return;
    default:
      return;
  }
}

void StepsReader::add_node(uint64_t value) {
  const Topology& topology = problem_->topology();
  if (value >= topology.num_nodes()) {
    throw InputError(fmt::format("node {} does not exist: the nodes of {} are 0 to {}", value,
                                 topology.name(), topology.num_nodes() - 1));
  }
  nodes_.push_back(id_at<NodeId>(value));
}

uint32_t StepsReader::slot_number(uint64_t value) const {
  if (!is_reduction()) throw InputError(std::string(kSlotsElsewhere));
  if (value >= SumSlots::kCount) throw InputError(no_such_slot(value));
  return static_cast<uint32_t>(value);
}

void StepsReader::op(const std::string& word) {
  if (word != "copy") throw InputError(fmt::format("op is 'copy' or left out, not '{}'", plain_name(word)));
  if (!is_reduction()) throw InputError(std::string(kCopyElsewhere));
  op_ = TransferOp::kCopy;
}

}  // namespace quadrille::plan_json
