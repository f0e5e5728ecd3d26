#include "quadrille/verify/holdings/combine_holdings.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "quadrille/verify/holdings/memory_needed.h"
#include "quadrille/verify/rules/contributions.h"
#include "quadrille/verify/rules/delivered.h"
#include "quadrille/verify/rules/sender_holds.h"

namespace quadrille {

namespace {

// From here on arrays are taken in small pages: a plan that moves little must not cost much.
constexpr size_t kManyBytes = size_t{256} << 20U;

Pages pages_for(size_t bytes) { return bytes < kManyBytes ? Pages::kHuge : Pages::kSmall; }

size_t cells_of(const Problem& problem, BlockRange followed) {
  require_memory_for_holdings(problem, followed.size());
  return size_t{problem.topology().num_nodes()} * followed.size();
}

}  // namespace

CombineHoldings::CombineHoldings(const Problem& problem, BlockRange followed)
    : problem_(problem),
      followed_(followed),
      set_((size_t{problem.collective().num_ranks()} + 63) / 64),
      sets_(set_ * cells_of(problem, followed),
            pages_for(set_ * cells_of(problem, followed) * sizeof(uint64_t))),
      arrivals_(cells_of(problem, followed), pages_for(cells_of(problem, followed) * sizeof(Arrival))) {}

void CombineHoldings::add_own(NodeId node, uint64_t* set) const {
  if (const std::optional<Rank> rank = problem_.topology().rank(node))
    set[index(*rank) / 64] |= uint64_t{1} << (index(*rank) % 64);
}

// What nothing has come to is not read: a page that is read before it is written is taken twice, and the other thread is
// interrupted for it.
void CombineHoldings::append_set(size_t cell, NodeId node, std::vector<uint64_t>& out) const {
  if (is_untouched(cell)) {
    out.resize(out.size() + set_);
    add_own(node, out.data() + out.size() - set_);
    return;
  }
  const uint64_t* set = &sets_[cell * set_];
  out.insert(out.end(), set, set + set_);
}

// What is sent is set aside before anything arrives: a step reads the state before it.
void CombineHoldings::apply(const JudgedStep& step, BlockRange range, Findings& findings) {
  const Topology& topology = problem_.topology();
  size_t deliveries = 0;
  for (size_t t = 0; t < step.view.size(); ++t) {
    for (const BlockId block : step.view.blocks(t)) deliveries += range.contains(block) ? 1U : 0U;
  }
  std::vector<uint64_t> sent;
  sent.reserve(deliveries * set_);
  for (size_t t = 0; t < step.view.size(); ++t) {
    const NodeId sender = topology.tail(step.view.arcs(t).front());
    for (const BlockId block : step.view.blocks(t)) {
      if (!range.contains(block)) continue;
      append_set(cell(block, sender), sender, sent);
      const uint64_t* set = sent.data() + sent.size() - set_;
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
  if (is_untouched(at)) add_own(receiver, set);
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
  const uint32_t ranks = collective.num_ranks();
  const uint64_t last = ranks % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (ranks % 64)) - 1;
  std::vector<uint64_t> set;
  for (uint32_t b = range.first; b < range.last; ++b) {
    for (uint32_t r = 0; r < ranks; ++r) {
      if (!collective.is_destination(BlockId{b}, Rank{r})) continue;
      const NodeId node = problem_.topology().endpoint(Rank{r});
      set.clear();
      append_set(cell(BlockId{b}, node), node, set);
      // By words: a set is looked at for every block at every node.
      for (size_t w = 0; w < set_; ++w) {
        const uint64_t missing = ~set[w] & (w + 1 == set_ ? last : ~uint64_t{0});
        if (missing == 0) continue;
        const auto from =
            Rank{static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(missing))};
        rules::report_incomplete(problem_, BlockId{b}, node, from, findings);
        break;
      }
    }
  }
}

}  // namespace quadrille
