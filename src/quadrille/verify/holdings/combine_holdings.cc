#include "quadrille/verify/holdings/combine_holdings.h"

#include <algorithm>
#include <bit>

#include "quadrille/verify/rules/contributions.h"
#include "quadrille/verify/rules/delivered.h"
#include "quadrille/verify/rules/sender_holds.h"

namespace quadrille {

CombineHoldings::CombineHoldings(const Problem& problem)
    : problem_(problem),
      set_((size_t{problem.collective().num_ranks()} + 63) / 64),
      sets_(set_ * problem.topology().num_nodes() * problem.collective().num_blocks()),
      arrivals_(size_t{problem.topology().num_nodes()} * problem.collective().num_blocks()) {
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) {
    for (uint32_t r = 0; r < problem.collective().num_ranks(); ++r) {
      const size_t own = cell(BlockId{b}, problem.topology().endpoint(Rank{r}));
      sets_[own * set_ + r / 64] |= uint64_t{1} << (r % 64);
    }
  }
}

// What is sent is set aside before anything arrives: a step reads the state before it.
void CombineHoldings::apply(const JudgedStep& step, BlockRange range, Findings& findings) {
  const Topology& topology = problem_.topology();
  std::vector<uint64_t> sent;
  for (size_t t = 0; t < step.view.size(); ++t) {
    const NodeId sender = topology.tail(step.view.arcs(t).front());
    for (const BlockId block : step.view.blocks(t)) {
      if (!range.contains(block)) continue;
      const uint64_t* set = &sets_[cell(block, sender) * set_];
      sent.insert(sent.end(), set, set + set_);
      if (std::all_of(set, set + set_, [](uint64_t word) { return word == 0; })) {
        rules::report_sender_lacks(problem_, step, t, block, sender, findings);
      }
    }
  }
  const uint64_t* next = sent.data();
  for (size_t t = 0; t < step.view.size(); ++t) {
    for (const BlockId block : step.view.blocks(t)) {
      if (!range.contains(block)) continue;
      arrive(step, t, block, next, findings);
      next += set_;
    }
  }
}

void CombineHoldings::arrive(const JudgedStep& step, size_t t, BlockId block, const uint64_t* sent,
                             Findings& findings) {
  const NodeId receiver = problem_.topology().head(step.view.arcs(t).back());
  const bool copy = step.view.op(t) == TransferOp::kCopy;
  const size_t at = cell(block, receiver);
  uint64_t* set = &sets_[at * set_];
  Arrival& last = arrivals_[at];
  if (last.step == step.number && (copy || last.copy != 0)) {
    rules::report_copy_conflict(problem_, step, t, block, receiver, findings);
  }
  last = {step.number, copy || (last.step == step.number && last.copy != 0) ? 1U : 0U};
  if (copy) {
    std::copy(sent, sent + set_, set);
    return;
  }
  bool reported = false;
  for (size_t w = 0; w < set_; ++w) {
    const uint64_t both = set[w] & sent[w];
    set[w] |= sent[w];
    if (both == 0 || reported) continue;
    reported = true;
    const auto twice = Rank{static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(both))};
    rules::report_counted_twice(problem_, step, t, block, receiver, twice, findings);
  }
}

void CombineHoldings::finish(BlockRange range, Findings& findings) const {
  const Collective& collective = problem_.collective();
  for (uint32_t b = range.first; b < range.last; ++b) {
    for (uint32_t r = 0; r < collective.num_ranks(); ++r) {
      if (!collective.is_destination(BlockId{b}, Rank{r})) continue;
      const NodeId node = problem_.topology().endpoint(Rank{r});
      const uint64_t* set = &sets_[cell(BlockId{b}, node) * set_];
      for (uint32_t from = 0; from < collective.num_ranks(); ++from) {
        if ((set[from / 64] >> (from % 64) & 1U) != 0) continue;
        rules::report_incomplete(problem_, BlockId{b}, node, Rank{from}, findings);
        break;
      }
    }
  }
}

}  // namespace quadrille
