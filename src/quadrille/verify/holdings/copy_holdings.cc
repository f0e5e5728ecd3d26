#include "quadrille/verify/holdings/copy_holdings.h"

#include "quadrille/verify/holdings/memory_needed.h"
#include "quadrille/verify/rules/delivered.h"
#include "quadrille/verify/rules/delivered_once.h"
#include "quadrille/verify/rules/sender_holds.h"

namespace quadrille {

CopyHoldings::CopyHoldings(const Problem& problem, BlockRange followed)
    : problem_(problem),
      followed_(followed),
      row_((size_t{problem.topology().num_nodes()} + 63) / 64),
      has_((require_memory_for_holdings(problem, followed.size()), row_ * followed.size())) {
  for (uint32_t b = followed.first; b < followed.last; ++b) {
    const NodeId origin = problem.origin(BlockId{b});
    has_[word(BlockId{b}, origin)] |= bit(origin);
  }
}

template <typename Use>
void CopyHoldings::for_each_block(const StepView& view, BlockRange range, Use use) const {
  for (size_t t = 0; t < view.size(); ++t) {
    for (const BlockId block : view.blocks(t)) {
      if (range.contains(block)) use(t, block);
    }
  }
}

// All senders are looked at before anything arrives: a step reads the state before it.
void CopyHoldings::apply(const JudgedStep& step, BlockRange range, Findings& findings) {
  const Topology& topology = problem_.topology();
  for_each_block(step.view, range, [&](size_t t, BlockId block) {
    const NodeId sender = topology.tail(step.view.arcs(t).front());
    if ((has_[word(block, sender)] & bit(sender)) == 0) [[unlikely]] {
      rules::report_sender_lacks(problem_, step, t, block, sender, findings);
    }
  });
  for_each_block(step.view, range, [&](size_t t, BlockId block) {
    const NodeId receiver = topology.head(step.view.arcs(t).back());
    uint64_t& bits = has_[word(block, receiver)];
    if ((bits & bit(receiver)) != 0 && topology.rank(receiver)) [[unlikely]] {
      rules::report_has_already(problem_, step, t, block, receiver, findings);
    }
    bits |= bit(receiver);
  });
}

void CopyHoldings::finish(BlockRange range, Findings& findings) const {
  for (uint32_t b = range.first; b < range.last; ++b) {
    for (const NodeId destination : problem_.topology().endpoints()) {
      if ((has_[word(BlockId{b}, destination)] & bit(destination)) == 0) {
        rules::report_missing(problem_, BlockId{b}, destination, findings);
      }
    }
  }
}

}  // namespace quadrille
