#include "quadrille/verify/holdings/slot_holdings.h"

#include <algorithm>
#include <utility>

#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/verify/rules/contributions.h"
#include "quadrille/verify/rules/delivered.h"
#include "quadrille/verify/rules/ranks_in_order.h"
#include "quadrille/verify/rules/sender_holds.h"

namespace quadrille {

SlotHoldings::SlotHoldings(const Problem& problem, CombineHoldings before)
    : problem_(problem),
      ordered_(problem.model().combining == Operator::kOrdered),
      before_(std::move(before)) {}

SlotHoldings::Share& SlotHoldings::share_of(BlockRange range) {
  std::unique_ptr<Share> made;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = shares_.find(range.first); found != shares_.end()) return *found->second;
  }
  made = std::make_unique<Share>(problem_.collective().num_ranks());
  take_over(*made, range);
  const std::scoped_lock lock(mutex_);
  blocks_taken_over_ += range.last - range.first;
  if (before_ && blocks_taken_over_ == before_->followed().size()) before_.reset();
  return *shares_.emplace(range.first, std::move(made)).first->second;
}

void SlotHoldings::take_over(Share& share, BlockRange range) {
  before_->write_sets(range);
  need_slot(share, range, 0);
  const size_t cells = size_t{range.last - range.first} * problem_.topology().num_nodes();
  require_memory(Int128{cells} * Int128{sizeof(Arrivals)}, "to follow partial sums");
  share.arrivals = LargeArray<Arrivals>(cells);
  std::vector<uint64_t> set;
  for (uint32_t b = range.first; b < range.last; ++b) {
    for (const NodeId v : problem_.topology().nodes()) {
      set.clear();
      before_->append_set(BlockId{b}, v, set);
      share.slots[0][cell(range, BlockId{b}, v)] = share.sets.of(set);
    }
  }
}

void SlotHoldings::need_slot(Share& share, BlockRange range, uint32_t slot) const {
  const size_t cells = size_t{range.last - range.first} * problem_.topology().num_nodes();
  while (share.slots.size() <= slot) {
    require_memory(Int128{cells} * Int128{sizeof(RankSets::Set)}, "to follow one more slot of partial sums");
    share.slots.emplace_back(cells);
  }
}

SlotHoldings::Sum SlotHoldings::sum_of(Share& share, size_t cell, uint32_t slots) {
  Sum out;
  for (uint32_t s = 0; s < share.slots.size(); ++s) {
    const RankSets::Set part = (slots >> s & 1U) != 0 ? share.slots[s][cell] : RankSets::kEmpty;
    if (part == RankSets::kEmpty) continue;
    const RankSets::Union both = share.sets.join(out.set, part);
    if (both.overlap && !out.twice) out.twice = share.sets.first_common(out.set, part);
    out.set = both.set;
    ++out.parts;
  }
  return out;
}

// What is sent is set aside before anything arrives: a step reads the state before it.
void SlotHoldings::apply(const JudgedStep& step, BlockRange range, Findings& findings) {
  if (range.first == range.last) return;
  Share& share = share_of(range);
  const Topology& topology = problem_.topology();
  const StepView& view = step.view;
  share.sent.clear();
  for (size_t t = 0; t < view.size(); ++t) {
    const NodeId sender = topology.tail(view.arcs(t).front());
    const uint32_t from = view.slots_of(t).from;
    for (const BlockId block : view.blocks(t)) {
      if (!range.contains(block)) continue;
      const Sum sum = sum_of(share, cell(range, block, sender), from);
      share.sent.push_back(sum.set);
      if (sum.set == RankSets::kEmpty) rules::report_sender_lacks(problem_, step, t, block, sender, findings);
      if (ordered_ && sum.parts > 1 && !share.sets.is_interval(sum.set))
        rules::report_sends_out_of_order(problem_, step, t, block, sender, findings);
      if (sum.twice) rules::report_sends_twice(problem_, step, t, block, sender, *sum.twice, findings);
    }
  }
  share.added.clear();
  size_t next = 0;
  for (size_t t = 0; t < view.size(); ++t) {
    for (const BlockId block : view.blocks(t)) {
      if (range.contains(block)) arrive(share, step, t, range, block, share.sent[next++], findings);
    }
  }
  if (ordered_) check_order(share, step, findings);
}

// Several sums that come in one step are put in order before they are added, so what counts is what is there
// when all have come.
void SlotHoldings::check_order(Share& share, const JudgedStep& step, Findings& findings) const {
  for (const Share::Added& added : share.added) {
    if (share.sets.is_interval(share.slots[added.slot][added.cell])) continue;
    const NodeId receiver = problem_.topology().head(step.view.arcs(added.transfer).back());
    rules::report_adds_out_of_order(problem_, step, added.transfer, added.block, receiver, findings);
  }
}

void SlotHoldings::arrive(Share& share, const JudgedStep& step, size_t t, BlockRange range, BlockId block,
                          RankSets::Set sent, Findings& findings) {
  const NodeId receiver = problem_.topology().head(step.view.arcs(t).back());
  const bool copy = step.view.op(t) == TransferOp::kCopy;
  const uint32_t to = step.view.slots_of(t).to;
  const size_t at = cell(range, block, receiver);
  need_slot(share, range, to);
  Arrivals& now = share.arrivals[at];
  if (now.step != step.number) now = {step.number, 0, 0};
  // A copy into slot 0 replaces all.
  const uint32_t own = 1U << to;
  const uint32_t meets =
      copy && to == 0 ? now.slots : (copy ? now.slots & own : 0) | (now.copies & (own | 1U));
  if (meets != 0) rules::report_copy_conflict(problem_, step, t, block, receiver, findings);
  if (ordered_ && !copy && (now.slots & own) == 0) share.added.push_back({t, block, at, to});
  now.slots |= own;
  if (copy) {
    now.copies |= own;
    if (to == 0) {
      for (auto& slot : share.slots) slot[at] = RankSets::kEmpty;
    }
    share.slots[to][at] = sent;
    return;
  }
  RankSets::Set& there = share.slots[to][at];
  const RankSets::Union both = share.sets.join(there, sent);
  if (both.overlap) {
    rules::report_counted_twice(problem_, step, t, block, receiver, *share.sets.first_common(there, sent),
                                findings);
  }
  there = both.set;
}

void SlotHoldings::finish(BlockRange range, Findings& findings) {
  if (range.first == range.last) return;
  Share& share = share_of(range);
  const Collective& collective = problem_.collective();
  for (uint32_t b = range.first; b < range.last; ++b) {
    for (uint32_t r = 0; r < collective.num_ranks(); ++r) {
      if (!collective.is_destination(BlockId{b}, Rank{r})) continue;
      const NodeId node = problem_.topology().endpoint(Rank{r});
      const Sum sum = sum_of(share, cell(range, BlockId{b}, node), SumSlots::kAll);
      if (sum.twice) rules::report_ends_twice(problem_, BlockId{b}, node, *sum.twice, findings);
      if (const auto lost = share.sets.first_missing(sum.set))
        rules::report_incomplete(problem_, BlockId{b}, node, *lost, findings);
    }
  }
}

}  // namespace quadrille
