#include "quadrille/schedule/step.h"

#include "quadrille/base/memory/large_growth.h"

namespace quadrille {

void StepBuilder::add(ArcId arc, BlockId block, TransferOp op) {
  const bool unit = arcs_end_.empty();
  arcs_.push_back(arc);
  blocks_.push_back(block);
  if (!unit) {
    arcs_end_.push_back(static_cast<uint32_t>(arcs_.size()));
    blocks_end_.push_back(static_cast<uint32_t>(blocks_.size()));
  }
  if (op != TransferOp::kDefault || !ops_.empty() || !slots_.empty()) treat_last(op, {});
}

void StepBuilder::add(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op,
                      SumSlots slots) {
  if (path.size() == 1 && blocks.size() == 1 && arcs_end_.empty()) {
    arcs_.push_back(path[0]);
    blocks_.push_back(blocks[0]);
    return treat_last(op, slots);
  }
  leave_unit_form();
  make_room(arcs_, path.size());
  make_room(blocks_, blocks.size());
  arcs_.insert(arcs_.end(), path.begin(), path.end());
  blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
  arcs_end_.push_back(static_cast<uint32_t>(arcs_.size()));
  blocks_end_.push_back(static_cast<uint32_t>(blocks_.size()));
  treat_last(op, slots);
}

// Notes what is unlike the transfers before, or like them where they were noted.
void StepBuilder::treat_last(TransferOp op, SumSlots slots) {
  if (op != TransferOp::kDefault && ops_.empty()) ops_.assign(size() - 1, TransferOp::kDefault);
  if (op != TransferOp::kDefault || !ops_.empty()) ops_.push_back(op);
  if (slots != SumSlots{} && slots_.empty()) slots_.assign(size() - 1, SumSlots{});
  if (slots != SumSlots{} || !slots_.empty()) slots_.push_back(slots);
}

void StepBuilder::leave_unit_form() {
  if (!arcs_end_.empty()) return;
  for (uint32_t t = 1; t <= arcs_.size(); ++t) {
    arcs_end_.push_back(t);
    blocks_end_.push_back(t);
  }
}

void StepBuilder::clear() {
  arcs_.clear();
  arcs_end_.clear();
  blocks_.clear();
  blocks_end_.clear();
  ops_.clear();
  slots_.clear();
}

void StepBuilder::flush(StepSink& sink) {
  sink.push(view());
  clear();
}

void CountingSink::push(const StepView& step) {
  ++steps_;
  transfers_ += step.size();
}

}  // namespace quadrille
