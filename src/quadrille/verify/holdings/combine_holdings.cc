#include "quadrille/verify/holdings/combine_holdings.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "quadrille/verify/holdings/memory_needed.h"
#include "quadrille/verify/rules/contributions.h"
#include "quadrille/verify/rules/delivered.h"
#include "quadrille/verify/rules/sender_holds.h"

namespace quadrille {

namespace {

// From here on arrays are taken in small pages: a plan that moves little must not cost much.
constexpr size_t kManyBytes = size_t{256} << 20U;
// What is sent in one step of more does not stay in a cache.
constexpr uint64_t kWordsOfLargeStep = uint64_t{1} << 16U;
// Nor do the cells of all blocks: those of as many deliveries are asked for ahead.
constexpr size_t kCellsAhead = 32;

Pages pages_for(const Problem& problem, size_t bytes) {
  // In an allreduce something has to come for every block to every node.
  const bool uses_all = problem.collective().kind() == CollectiveKind::kAllreduce;
  return bytes < kManyBytes || uses_all ? Pages::kHuge : Pages::kSmall;
}

size_t num_cells(const Problem& problem, BlockRange followed) {
  require_memory_for_holdings(problem, followed.size());
  return size_t{problem.topology().num_nodes()} * followed.size();
}

}  // namespace

CombineHoldings::CombineHoldings(const Problem& problem, BlockRange followed)
    : problem_(problem),
      followed_(followed),
      set_((size_t{problem.collective().num_ranks()} + 63) / 64),
      forest_(problem),
      has_sets_(followed.size(), 0),
      sets_(set_ * num_cells(problem, followed),
            pages_for(problem, set_ * num_cells(problem, followed) * sizeof(uint64_t))),
      cells_(num_cells(problem, followed),
             pages_for(problem, num_cells(problem, followed) * sizeof(SumForest::Cell))) {}

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

void CombineHoldings::report(const JudgedStep& step, const Fault& fault, Findings& findings) const {
  const Topology& topology = problem_.topology();
  const auto arcs = step.view.arcs(fault.transfer);
  switch (fault.kind) {
    case Fault::Kind::kSenderLacks:
      return rules::report_sender_lacks(problem_, step, fault.transfer, fault.block,
                                        topology.tail(arcs.front()), findings);
    case Fault::Kind::kCopyConflict:
      return rules::report_copy_conflict(problem_, step, fault.transfer, fault.block,
                                         topology.head(arcs.back()), findings);
    case Fault::Kind::kCountedTwice:
      return rules::report_counted_twice(problem_, step, fault.transfer, fault.block,
                                         topology.head(arcs.back()), fault.twice, findings);
  }
}

bool CombineHoldings::are_all_forests(BlockRange range) const {
  const uint8_t* const first = has_sets_.data() + (range.first - followed_.first);
  return std::find(first, first + range.size(), uint8_t{1}) == first + range.size();
}

void CombineHoldings::apply(std::span<const JudgedStep> steps, BlockRange range, Findings& findings) {
  uint64_t listed = 0;  // whatever their blocks
  for (const JudgedStep& step : steps) listed += step.view.all_blocks.size();
  if (listed >= range.size() && listed <= UINT32_MAX && are_all_forests(range)) {
    apply_by_block(steps, range, std::nullopt, findings);
    return;
  }
  std::vector<uint64_t> deliveries;  // of each step
  deliveries.reserve(steps.size());
  bool has_forests = false;
  for (const JudgedStep& step : steps) {
    uint64_t here = 0;
    for (size_t t = 0; t < step.view.size(); ++t) {
      for (const BlockId block : step.view.blocks(t)) {
        if (!range.contains(block)) continue;
        ++here;
        has_forests = has_forests || has_sets_[followed(block)] == 0;
      }
    }
    deliveries.push_back(here);
  }
  if (has_forests) {
    apply_by_block(steps, range, std::accumulate(deliveries.begin(), deliveries.end(), uint64_t{0}),
                   findings);
    return;
  }
  for (size_t s = 0; s < steps.size(); ++s) {
    const bool is_large = deliveries[s] * set_ > kWordsOfLargeStep && deliveries[s] > range.size();
    is_large ? apply_by_block(steps.subspan(s, 1), range, deliveries[s], findings)
             : apply_as_listed(steps[s], range, deliveries[s], findings);
  }
}

// What is sent is set aside before anything arrives: a step reads the state before it.
void CombineHoldings::apply_as_listed(const JudgedStep& step, BlockRange range, uint64_t deliveries,
                                      Findings& findings) {
  const auto tell = [&](const Fault& fault) { report(step, fault, findings); };
  const auto transfers = static_cast<uint32_t>(step.view.size());
  std::vector<uint64_t> sent;
  sent.reserve(deliveries * set_);
  for (uint32_t t = 0; t < transfers; ++t) {
    const auto blocks = step.view.blocks(t);
    for (uint32_t i = 0; i < blocks.size(); ++i)
      if (range.contains(blocks[i])) send(step, t, i, sent, tell);
  }
  const uint64_t* next = sent.data();
  for (uint32_t t = 0; t < transfers; ++t) {
    const auto blocks = step.view.blocks(t);
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      if (!range.contains(blocks[i])) continue;
      arrive(step, t, i, next, tell);
      next += set_;
    }
  }
}

std::vector<CombineHoldings::Delivery> CombineHoldings::by_block(std::span<const JudgedStep> steps,
                                                                 BlockRange range,
                                                                 std::optional<uint64_t> deliveries) {
  const auto for_each = [&](auto take) {
    uint32_t before = 0;  // transfers
    for (const JudgedStep& step : steps) {
      const auto transfers = static_cast<uint32_t>(step.view.size());
      const bool unit = step.view.is_unit();
      for (uint32_t t = 0; unit && t < transfers; ++t)
        if (const BlockId block = step.view.all_blocks[t]; range.contains(block))
          take(Delivery{block, before + t, 0});
      for (uint32_t t = 0; !unit && t < transfers; ++t) {
        const auto blocks = step.view.blocks(t);
        for (uint32_t i = 0; i < blocks.size(); ++i)
          if (range.contains(blocks[i])) take(Delivery{blocks[i], before + t, i});
      }
      before += transfers;
    }
  };
  std::vector<Delivery> out(deliveries.value_or(0));
  if (deliveries && (*deliveries < range.size() / 8 || *deliveries > UINT32_MAX)) {
    auto next = out.begin();
    for_each([&](const Delivery& delivery) { *next++ = delivery; });
    std::stable_sort(out.begin(), out.end(),
                     [](const Delivery& a, const Delivery& b) { return a.block < b.block; });
    return out;
  }
  std::vector<uint32_t> end(size_t{range.size()} + 1, 0);
  for_each([&](const Delivery& delivery) { ++end[index(delivery.block) - range.first + 1]; });
  std::partial_sum(end.begin(), end.end(), end.begin());
  if (!deliveries) out.resize(end.back());
  for_each([&](const Delivery& delivery) { out[end[index(delivery.block) - range.first]++] = delivery; });
  return out;
}

void CombineHoldings::apply_by_block(std::span<const JudgedStep> steps, BlockRange range,
                                     std::optional<uint64_t> deliveries, Findings& findings) {
  const Topology& topology = problem_.topology();
  std::vector<Transfer> transfers;
  std::vector<uint32_t> first_of_step;
  for (uint32_t s = 0; s < steps.size(); ++s) {
    const StepView& view = steps[s].view;
    first_of_step.push_back(static_cast<uint32_t>(transfers.size()));
    for (size_t t = 0; t < view.size(); ++t) {
      const auto arcs = view.arcs(t);
      transfers.push_back(
          {{topology.tail(arcs.front()), topology.head(arcs.back()), view.op(t) == TransferOp::kCopy}, s});
    }
  }
  const std::vector<Delivery> all = by_block(steps, range, deliveries);
  std::vector<Fault> faults;
  std::vector<SumForest::Move> moves;
  std::vector<uint64_t> sent;
  for (size_t first = 0, last = 0; first < all.size(); first = last) {
    const BlockId block = all[first].block;
    const uint32_t s = transfers[all[first].transfer].step;
    for (; last < all.size() && all[last].block == block && transfers[all[last].transfer].step == s; ++last) {
      const size_t soon = last + kCellsAhead;
      if (soon + kCellsAhead >= all.size()) continue;
      __builtin_prefetch(&transfers[all[soon + kCellsAhead].transfer]);
      const SumForest::Move& move = transfers[all[soon].transfer].move;
      SumForest::Cell* const row = &cells_[cell(all[soon].block, NodeId{0})];
      __builtin_prefetch(row + index(move.from), 1);
      __builtin_prefetch(row + index(move.to), 1);
    }
    const auto here = std::span(all).subspan(first, last - first);
    if (has_sets_[followed(block)] == 0) {
      moves.clear();
      for (const Delivery& delivery : here) moves.push_back(transfers[delivery.transfer].move);
      if (forest_.take(cells_of(block), moves)) continue;
      write_sets(block);
    }
    const auto tell = [&](const Fault& fault) {
      faults.push_back(fault);
      faults.back().step = s;
    };
    sent.clear();
    for (const Delivery& delivery : here)
      send(steps[s], delivery.transfer - first_of_step[s], delivery.place, sent, tell);
    const uint64_t* next = sent.data();
    for (const Delivery& delivery : here) {
      arrive(steps[s], delivery.transfer - first_of_step[s], delivery.place, next, tell);
      next += set_;
    }
  }
  // They are told as they stand in the steps.
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) {
    return std::tuple(a.step, a.transfer, a.place) < std::tuple(b.step, b.transfer, b.place);
  });
  for (const Fault& fault : faults) report(steps[fault.step], fault, findings);
}

template <typename Tell>
void CombineHoldings::send(const JudgedStep& step, uint32_t t, uint32_t place, std::vector<uint64_t>& out,
                           Tell tell) const {
  const BlockId block = step.view.blocks(t)[place];
  const NodeId sender = problem_.topology().tail(step.view.arcs(t).front());
  append_set(cell(block, sender), sender, out);
  const uint64_t* set = out.data() + out.size() - set_;
  if (std::all_of(set, set + set_, [](uint64_t word) { return word == 0; }))
    tell(Fault{Fault::Kind::kSenderLacks, t, place, block});
}

template <typename Tell>
void CombineHoldings::arrive(const JudgedStep& step, uint32_t t, uint32_t place, const uint64_t* sent,
                             Tell tell) {
  const BlockId block = step.view.blocks(t)[place];
  const NodeId receiver = problem_.topology().head(step.view.arcs(t).back());
  const bool copy = step.view.op(t) == TransferOp::kCopy;
  const size_t at = cell(block, receiver);
  uint64_t* set = &sets_[at * set_];
  if (is_untouched(at)) add_own(receiver, set);
  const Arrival last = arrival(at);
  if (last.step == step.number && (copy || last.copy != 0))
    tell(Fault{Fault::Kind::kCopyConflict, t, place, block});
  set_arrival(at, {step.number, copy || (last.step == step.number && last.copy != 0) ? 1U : 0U});
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
    tell(Fault{Fault::Kind::kCountedTwice, t, place, block, twice});
  }
}

void CombineHoldings::write_sets(BlockId block) {
  const std::span<const SumForest::Cell> cells = cells_of(block);
  forest_.write_sets(cells, &sets_[cell(block, NodeId{0}) * set_], set_);
  has_sets_[followed(block)] = 1;
  // Where something has come, it was not in this step.
  for (const NodeId node : problem_.topology().nodes())
    set_arrival(cell(block, node), {cells[index(node)].gained > 0 ? 1U : 0U, 0});
}

bool CombineHoldings::is_delivered_by_forest(BlockId block) {
  if (has_sets_[followed(block)] != 0) return false;
  const Collective& collective = problem_.collective();
  for (uint32_t r = 0; r < collective.num_ranks(); ++r) {
    if (!collective.is_destination(block, Rank{r})) continue;
    if (forest_.is_whole(cells_of(block), problem_.topology().endpoint(Rank{r}))) continue;
    write_sets(block);
    return false;
  }
  return true;
}

void CombineHoldings::write_sets(BlockRange range) {
  for (uint32_t b = range.first; b < range.last; ++b)
    if (has_sets_[followed(BlockId{b})] == 0) write_sets(BlockId{b});
}

void CombineHoldings::finish(BlockRange range, Findings& findings) {
  const Collective& collective = problem_.collective();
  const uint32_t ranks = collective.num_ranks();
  const uint64_t last = ranks % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (ranks % 64)) - 1;
  std::vector<uint64_t> own;
  for (uint32_t b = range.first; b < range.last; ++b) {
    if (is_delivered_by_forest(BlockId{b})) continue;
    for (uint32_t r = 0; r < ranks; ++r) {
      if (!collective.is_destination(BlockId{b}, Rank{r})) continue;
      const NodeId node = problem_.topology().endpoint(Rank{r});
      const size_t at = cell(BlockId{b}, node);
      const uint64_t* set = &sets_[at * set_];
      if (is_untouched(at)) {
        own.clear();
        append_set(at, node, own);
        set = own.data();
      }
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
