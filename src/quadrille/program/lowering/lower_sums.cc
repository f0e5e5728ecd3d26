#include "quadrille/program/lowering/lower_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/dataflow.h"
#include "quadrille/program/lowering/rank_writer.h"
#include "quadrille/program/placement.h"

namespace quadrille {

class SumLowering::Impl {
 public:
  Impl(const Problem& problem, const Translations& translations)
      : problem_(problem), translations_(translations), layout_(problem.collective()) {
    const NodeId me = problem.topology().endpoint(kMe);
    side_.assign(problem.topology().num_arcs(), 0);
    for (const ArcId arc : problem.topology().arcs()) {
      if (problem.topology().tail(arc) == me) side_[index(arc)] |= kLeaves;
      if (problem.topology().head(arc) == me) side_[index(arc)] |= kComes;
    }
    for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b)
      held_.push_back(add_value({kMe, BlockId{b}}));
  }

  void push(const StepView& view) {
    if (flow_.steps == Value::kFromInput - 1)
      throw InputError(fmt::format("a plan of more than {} steps is too long to run", flow_.steps));
    for (size_t t = 0; t < view.size(); ++t) {
      const std::span<const ArcId> path = view.arcs(t);
      const bool leaves = (side_[index(path.front())] & kLeaves) != 0;
      const bool comes = (side_[index(path.back())] & kComes) != 0;
      if (!leaves && !comes) continue;
      if (view.slots_of(t) != SumSlots{}) keeps_sums_apart_ = true;
      for (const BlockId block : view.blocks(t)) {
        if (leaves) sent_.push_back({rank_at(problem_.topology().head(path.back())), block});
        if (comes)
          came_.push_back(
              {rank_at(problem_.topology().tail(path.front())), block, view.op(t) == TransferOp::kCopy});
      }
    }
    // What is sent in a step was there before it.
    for (const Passage& passage : sent_) {
      const auto message = static_cast<uint32_t>(flow_.messages.size());
      add_message(held_[index(passage.block)],
                  add_value({passage.peer, passage.block, flow_.steps, message, message + 1}));
    }
    take_contributions();
    sent_.clear();
    came_.clear();
    ++flow_.steps;
  }

  std::optional<RankProgram> finish() {
    if (keeps_sums_apart_) return std::nullopt;
    for (const BlockId block : layout_.output_blocks(kMe)) flow_.results.push_back(held_[index(block)]);
    placement_ = place_values(flow_, layout_, false, kMe);
    sort_messages();
    RankProgram out;
    out.rank = kMe;
    out.input_slots = layout_.input_slots(kMe);
    out.output_slots = layout_.output_slots(kMe);
    out.scratch_slots = placement_.scratch_slots[index(kMe)];
    write_actions(flow_, placement_, order_, starts(), list_moves(flow_, placement_, layout_, false, kMe),
                  out);
    return out;
  }

 private:
  static constexpr Rank kMe{0};
  static constexpr uint8_t kLeaves = 1;
  static constexpr uint8_t kComes = 2;

  // One block on its way, to rank 0 or from it.
  struct Passage {
    Rank peer;
    BlockId block;
    bool copies = false;
  };
  // By what messages are put together: the first four are theirs.
  struct Key {
    bool sends;
    uint32_t step;
    uint32_t peer;
    bool reduced;
    uint64_t block;  // as the sender sees it
    uint32_t message;
    auto operator<=>(const Key&) const = default;
  };

  [[nodiscard]] Rank rank_at(NodeId node) const { return *problem_.topology().rank(node); }

  ValueId add_value(const Value& value) {
    QUADRILLE_CHECK(flow_.values.size() < kNoValue, "a rank's program is too large");
    flow_.values.push_back(value);
    return static_cast<ValueId>(flow_.values.size() - 1);
  }
  void add_message(ValueId from, ValueId to) {
    flow_.messages.push_back({from, to, flow_.steps, flow_.steps});
  }

  // As trace_dataflow() has it: all that comes for a block in a step makes one sum, and a copy takes the place of what is there.
  void take_contributions() {
    std::ranges::stable_sort(came_, {}, &Passage::block);
    for (size_t begin = 0, end = 0; begin < came_.size(); begin = end) {
      const BlockId block = came_[begin].block;
      while (end < came_.size() && came_[end].block == block) ++end;
      const std::span<const Passage> all = std::span(came_).subspan(begin, end - begin);
      Value sum{kMe, block, flow_.steps};
      sum.locals_begin = static_cast<uint32_t>(flow_.locals.size());
      if (std::ranges::none_of(all, &Passage::copies)) flow_.locals.push_back(held_[index(block)]);
      sum.locals_end = static_cast<uint32_t>(flow_.locals.size());
      sum.messages_begin = static_cast<uint32_t>(flow_.messages.size());
      sum.messages_end = static_cast<uint32_t>(sum.messages_begin + all.size());
      const ValueId to = static_cast<ValueId>(flow_.values.size() + all.size());
      for (const Passage& passage : all) add_message(add_value({passage.peer, block}), to);
      held_[index(block)] = add_value(sum);
    }
  }

  // Where ranks go when a rank goes to 0.
  const std::vector<uint32_t>& back_from(Rank rank) {
    const auto [found, is_new] = back_.try_emplace(rank);
    if (is_new) {
      const std::vector<uint32_t> to = translations_.of(rank);
      found->second.resize(to.size());
      for (uint32_t x = 0; x < to.size(); ++x) found->second[to[x]] = x;
    }
    return found->second;
  }
  uint64_t moved_back(BlockId block, Rank from) {
    return index(image_of(block, problem_.collective(), back_from(from), translations_.deals_out));
  }

  void sort_messages() {
    // How what comes is taken: by step, sender, and block as the sender sees it.
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, bool> reduced;
    std::vector<Key> keys;
    for (uint32_t m = 0; m < flow_.messages.size(); ++m) {
      const Message& message = flow_.messages[m];
      if (flow_.values[message.to].rank != kMe) continue;
      const Value& from = flow_.values[message.from];
      const bool is_reduced = placement_.landings[m] == Landing::kReduced;
      const auto peer = static_cast<uint32_t>(index(from.rank));
      const uint64_t block = moved_back(from.block, from.rank);
      reduced.emplace(std::tuple(message.sent, peer, block), is_reduced);
      keys.push_back({false, message.sent, peer, is_reduced, block, m});
    }
    // What goes to a rank is the image of what comes from where 0 is from it.
    for (uint32_t m = 0; m < flow_.messages.size(); ++m) {
      const Message& message = flow_.messages[m];
      const Value& to = flow_.values[message.to];
      if (to.rank == kMe) continue;
      const uint32_t mirror = back_from(to.rank)[0];
      // The sender there is rank 0's image, and sees the block as rank 0 sees this one.
      const auto found = reduced.find({message.sent, mirror, index(to.block)});
      QUADRILLE_CHECK(found != reduced.end(), "a plan that is not the same after each translation");
      keys.push_back(
          {true, message.sent, static_cast<uint32_t>(index(to.rank)), found->second, index(to.block), m});
    }
    std::ranges::sort(keys);
    for (const Key& key : keys) order_.push_back(key.message);
    keys_ = std::move(keys);
  }

  // Messages with one peer are one, but for how they are taken; in each step receives first.
  std::vector<Start> starts() const {
    std::vector<Start> out;
    const auto key = [](const Key& one) { return std::tuple(one.sends, one.step, one.peer, one.reduced); };
    for (size_t begin = 0, end = 0; begin < keys_.size(); begin = end) {
      const Key& first = keys_[begin];
      while (end < keys_.size() && key(keys_[end]) == key(first)) ++end;
      const ActionKind kind = first.sends     ? ActionKind::kSend
                              : first.reduced ? ActionKind::kReceiveReduce
                                              : ActionKind::kReceive;
      out.push_back({kMe, first.step, first.step, kind, Rank{first.peer}, begin, end});
    }
    std::ranges::stable_sort(
        out, {}, [](const Start& start) { return std::pair(start.step, start.kind == ActionKind::kSend); });
    return out;
  }

  Problem problem_;
  Translations translations_;
  BufferLayout layout_;
  std::vector<uint8_t> side_;  // per arc
  // Rank 0's part: its values, and for each message of another rank's the value at its other end, which stands for nothing else.
  Dataflow flow_{};
  std::vector<ValueId> held_;  // per block
  std::vector<Passage> sent_;  // of one step
  std::vector<Passage> came_;
  bool keeps_sums_apart_ = false;
  std::map<Rank, std::vector<uint32_t>> back_;
  Placement placement_{};
  std::vector<Key> keys_;
  std::vector<uint32_t> order_;  // of messages
};

std::optional<std::string> SumLowering::why_not(const Problem& problem) {
  if (problem.collective().flow() != Flow::kCombine) return "nothing is combined";
  if (problem.collective().root()) return "one rank does what no other does";
  if (problem.model().combining == Operator::kOrdered)
    return "contributions are combined in the order of ranks";
  if (problem.topology().num_endpoints() != problem.topology().num_nodes())
    return "blocks go through routers";
  return std::nullopt;
}

SumLowering::SumLowering(const Problem& problem, const Translations& translations)
    : impl_(std::make_unique<Impl>(problem, translations)) {
  QUADRILLE_CHECK(!why_not(problem), *why_not(problem));
}
SumLowering::~SumLowering() = default;
void SumLowering::push(const StepView& step) { impl_->push(step); }
std::optional<RankProgram> SumLowering::finish() { return impl_->finish(); }

}  // namespace quadrille
