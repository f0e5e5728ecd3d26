#include "quadrille/algorithms/placed_ranks/routed/forwarded_sums.h"

#include <algorithm>
#include <optional>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {

ForwardedSums::ForwardedSums(const Problem& problem, const SumRounds& needs)
    : topology_(problem.topology()),
      collective_(problem.collective()),
      carries_many_(carries_many(problem.model())),
      is_ordered_(problem.model().combining == Operator::kOrdered),
      blocks_(problem.collective().num_blocks()),
      sums_until_(needs.sums_until),
      most_transits_(SumSlots::kCount - 1 - needs.waiting),
      machine_(problem),
      times_(blocks_ * topology_.num_nodes()) {}

void ForwardedSums::send(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op,
                         SumSlots slots) {
  for (size_t b = 0; b < blocks.size(); b += carries_many_ ? blocks.size() : 1) {
    sums_.clear();
    complete_.clear();
    for (const BlockId block : carries_many_ ? blocks : blocks.subspan(b, 1))
      (round_ < sums_until_[index(block)] ? sums_ : complete_).push_back(block);
    if (!sums_.empty()) send_sum(path, sums_, op, slots);
    if (!complete_.empty()) copy(path, complete_);
  }
}

void ForwardedSums::end_round() {
  for (const Ready& ready : ready_) {
    uint32_t& from = times_[ready.place].ready;
    from = std::max(from, ready.step);
  }
  ready_.clear();
  ++round_;
  turn_ = next_turn_;
  next_turn_ += 2;
}

// Each hop as early as there is room, from the first step on in which those on the way have slots as well.
void ForwardedSums::find_times(std::span<const ArcId> path, std::span<const BlockId> blocks, bool replaces) {
  const NodeId from = topology_.tail(path.front());
  uint32_t start = 0;
  for (const BlockId block : blocks) start = std::max(start, times_[place(from, block)].ready);
  do {
    at_.clear();
    uint32_t earliest = start;
    for (size_t h = 0; h < path.size(); ++h) {
      for (const BlockId block : blocks) {
        const Times& there = times_[place(topology_.head(path[h]), block)];
        earliest = std::max(earliest, there.open);
        if (replaces && h + 1 == path.size()) earliest = std::max({earliest, there.arrived, there.left});
      }
      at_.push_back(static_cast<uint32_t>(machine_.first_free(path.subspan(h, 1), earliest)));
      earliest = at_.back() + 1;
    }
    start = at_.front() + 1;
  } while (!has_slots(path, blocks));
}

bool ForwardedSums::has_slots(std::span<const ArcId> path, std::span<const BlockId> blocks) const {
  for (size_t h = 0; h + 1 < path.size(); ++h) {
    for (const BlockId block : blocks) {
      uint32_t others = 0;
      for (uint32_t t = times_[place(topology_.head(path[h]), block)].last_transit; t != kNone;
           t = transits_[t].before) {
        const WaitingSlots::Transit& other = transits_[t].event;
        if (other.arrives < at_[h + 1] && at_[h] < other.leaves && ++others >= most_transits_) return false;
      }
    }
  }
  return true;
}

uint32_t ForwardedSums::hop(ArcId arc, std::span<const BlockId> blocks, size_t step) {
  machine_.use(std::span(&arc, 1), step);
  const auto first = static_cast<uint32_t>(carried_.size());
  carried_.insert(carried_.end(), blocks.begin(), blocks.end());
  chosen_.resize(carried_.size());
  hops_.push_back({static_cast<uint32_t>(step), arc, first, static_cast<uint32_t>(carried_.size())});
  steps_ = std::max(steps_, static_cast<uint32_t>(step) + 1);
  return first;
}

void ForwardedSums::send_sum(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op,
                             SumSlots slots) {
  const bool replaces = op == TransferOp::kCopy && slots.to == 0;
  find_times(path, blocks, replaces);
  uint32_t in = 0;
  for (size_t h = 0; h < path.size(); ++h) {
    const uint32_t out = hop(path[h], blocks, at_[h]);
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      const size_t from = place(topology_.tail(path[h]), blocks[b]);
      times_[from].left = std::max(times_[from].left, at_[h]);
      if (h == 0) {
        reads_.push_back({from, {.turn = turn_, .step = at_[h], .hop = out + b, .slots = slots.from}});
      } else {
        const WaitingSlots::Transit event{
            .arrives = at_[h - 1], .leaves = at_[h], .hop_in = in + b, .hop_out = out + b};
        transits_.push_back({from, event, times_[from].last_transit});
        times_[from].last_transit = static_cast<uint32_t>(transits_.size() - 1);
      }
      const size_t to = place(topology_.head(path[h]), blocks[b]);
      times_[to].arrived = std::max(times_[to].arrived, at_[h] + 1);
      if (h + 1 < path.size()) continue;
      arrivals_.push_back(
          {to, {.turn = turn_ + 1, .step = at_[h], .hop = out + b, .slot = slots.to, .op = op}});
      ready_.push_back({to, at_[h] + 1});
      if (replaces) times_[to].open = at_[h] + 1;
    }
    in = out;
  }
}

uint32_t ForwardedSums::hand_over(ArcId arc, std::span<const BlockId> blocks) {
  uint32_t earliest = 0;
  for (const BlockId block : blocks) {
    const Times& there = times_[place(topology_.head(arc), block)];
    earliest = std::max({earliest, times_[place(topology_.tail(arc), block)].complete, there.arrived,
                         there.left, there.open});
  }
  const auto at = static_cast<uint32_t>(machine_.first_free(std::span(&arc, 1), earliest));
  hop(arc, blocks, at);
  for (const BlockId block : blocks) {
    times_[place(topology_.tail(arc), block)].left =
        std::max(times_[place(topology_.tail(arc), block)].left, at);
    Times& there = times_[place(topology_.head(arc), block)];
    there.arrived = there.open = at + 1;
    there.complete = std::min(there.complete, at + 1);
  }
  return at;
}

// From the last node on the way that has a block, hop by hop.
void ForwardedSums::copy(std::span<const ArcId> path, std::span<const BlockId> blocks) {
  std::vector<size_t> begins;
  for (const BlockId block : blocks) {
    Times& here = times_[place(topology_.tail(path.front()), block)];
    if (here.complete == kNotThere) here.complete = here.ready;
    size_t begin = path.size();
    while (begin > 0 && times_[place(topology_.head(path[begin - 1]), block)].complete == kNotThere) --begin;
    begins.push_back(begin);
  }
  std::vector<BlockId> together;
  for (size_t h = 0; h < path.size(); ++h) {
    together.clear();
    for (size_t b = 0; b < blocks.size(); ++b)
      if (begins[b] <= h) together.push_back(blocks[b]);
    if (together.empty()) continue;
    const uint32_t at = hand_over(path[h], together);
    for (uint32_t b = 0; b < together.size(); ++b) {
      const uint32_t carried = hops_.back().first + b;
      reads_.push_back({place(topology_.tail(path[h]), together[b]),
                        {.turn = next_turn_, .step = at, .hop = carried, .slots = SumSlots::kAll}});
      arrivals_.push_back(
          {place(topology_.head(path[h]), together[b]),
           {.turn = next_turn_ + 1, .step = at, .hop = carried, .slot = 0, .op = TransferOp::kCopy}});
    }
    next_turn_ += 2;
  }
}

void ForwardedSums::choose_slots() {
  const auto by_place = [](const auto& a, const auto& b) { return a.place < b.place; };
  std::ranges::stable_sort(reads_, by_place);
  std::ranges::stable_sort(arrivals_, by_place);
  std::ranges::stable_sort(transits_, by_place);
  WaitingSlots slots;
  slots.keeps_all_apart = is_ordered_;
  size_t r = 0;
  size_t a = 0;
  size_t t = 0;
  while (r < reads_.size() || a < arrivals_.size() || t < transits_.size()) {
    size_t now = SIZE_MAX;
    if (r < reads_.size()) now = std::min(now, reads_[r].place);
    if (a < arrivals_.size()) now = std::min(now, arrivals_[a].place);
    if (t < transits_.size()) now = std::min(now, transits_[t].place);
    slots.reads.clear();
    slots.arrivals.clear();
    slots.transits.clear();
    while (r < reads_.size() && reads_[r].place == now) slots.reads.push_back(reads_[r++].event);
    while (a < arrivals_.size() && arrivals_[a].place == now) slots.arrivals.push_back(arrivals_[a++].event);
    while (t < transits_.size() && transits_[t].place == now) slots.transits.push_back(transits_[t++].event);
    const NodeId node{static_cast<uint32_t>(now / blocks_)};
    const BlockId block{static_cast<uint32_t>(now % blocks_)};
    const std::optional<Rank> rank = topology_.rank(node);
    const bool is_to_be_clean = rank && collective_.is_destination(block, *rank);
    const WaitingSlots::Kept kept = slots.choose(is_to_be_clean, chosen_);
    QUADRILLE_CHECK(kept.fits, "no more is passed on at once than there are slots for");
    if (kept.slots != 1) slots_of_.emplace(now, kept.slots);
    if (is_to_be_clean && !kept.is_clean) unclean_.push_back(now);
  }
}

bool ForwardedSums::can_clean(NodeId node, NodeId other) const {
  return collective_.delivers_to_all() ? node != other && topology_.rank(node) : node == other;
}

std::vector<ArcId> ForwardedSums::from_nearest(NodeId node, BlockId block) {
  if (arcs_into_.empty()) arcs_into_ = arcs_into(topology_);
  std::vector<ArcId> next(topology_.num_nodes(), kNoArc);
  std::vector<NodeId> queue(1, node);
  for (size_t q = 0; q < queue.size(); ++q) {
    ArcId best = kNoArc;
    size_t soonest = SIZE_MAX;
    for (const ArcId arc : arcs_into_[index(queue[q])]) {
      const NodeId from = topology_.tail(arc);
      if (can_clean(from, node)) {
        const size_t at = machine_.first_free(std::span(&arc, 1), times_[place(from, block)].ready);
        if (at < soonest) best = arc;
        soonest = std::min(at, soonest);
      } else if (next[index(from)] == kNoArc && from != node) {
        next[index(from)] = arc;
        queue.push_back(from);
      }
    }
    if (best == kNoArc) continue;
    std::vector<ArcId> path(1, best);
    while (topology_.head(path.back()) != node) path.push_back(next[index(topology_.head(path.back()))]);
    return path;
  }
  QUADRILLE_CHECK(false, "who passes something on is on a way between two others");
  return {};
}

void ForwardedSums::clean(NodeId node, BlockId block) {
  const std::vector<ArcId> path = from_nearest(node, block);
  Times& here = times_[place(node, block)];
  if (here.complete == kNotThere) here.complete = here.ready;
  size_t begin = path.size() - 1;
  while (begin > 0 && times_[place(topology_.tail(path[begin]), block)].complete == kNotThere) --begin;
  for (size_t h = begin; h < path.size(); ++h) {
    const size_t from = place(topology_.tail(path[h]), block);
    // What is complete stays so while it is replaced by the same.
    if (times_[from].complete == kNotThere) times_[from].complete = times_[from].ready;
    const uint32_t at = hand_over(path[h], std::span(&block, 1));
    HopSlots& chosen = chosen_[hops_.back().first];
    const auto slots = slots_of_.find(from);
    const auto cleaned = cleaned_at_.find(from);
    const bool is_clean = slots == slots_of_.end() || (cleaned != cleaned_at_.end() && at > cleaned->second);
    chosen = {.slots = {.from = is_clean ? 1U : slots->second, .to = 0}, .op = TransferOp::kCopy};
    cleaned_at_.insert_or_assign(place(topology_.head(path[h]), block), at);
  }
}

void ForwardedSums::push(StepSink& sink) {
  choose_slots();
  for (const size_t place : unclean_)
    clean(NodeId{static_cast<uint32_t>(place / blocks_)}, BlockId{static_cast<uint32_t>(place % blocks_)});
  std::vector<uint32_t> next(steps_ + 1, 0);
  for (const Hop& hop : hops_) ++next[hop.step + 1];
  for (size_t s = 0; s < steps_; ++s) next[s + 1] += next[s];
  const std::vector<uint32_t> begin = next;
  std::vector<uint32_t> by_step(hops_.size());
  for (uint32_t h = 0; h < hops_.size(); ++h) by_step[next[hops_[h].step]++] = h;
  StepBuilder step;
  for (size_t s = 0; s < steps_; ++s) {
    for (uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
      const Hop& hop = hops_[by_step[i]];
      // Blocks that go together may have waited in different slots.
      for (uint32_t b = hop.first; b < hop.end;) {
        uint32_t end = b + 1;
        while (end < hop.end && chosen_[end].slots == chosen_[b].slots && chosen_[end].op == chosen_[b].op)
          ++end;
        step.add(std::span(&hop.arc, 1), std::span(carried_).subspan(b, end - b), chosen_[b].op,
                 chosen_[b].slots);
        b = end;
      }
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
