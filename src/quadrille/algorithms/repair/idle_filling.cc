#include "quadrille/algorithms/repair/idle_filling.h"

#include <algorithm>
#include <bit>

namespace quadrille {
namespace {

// Who waits for which arc: a heap for each, the longest way on top.
class Waiting {
 public:
  Waiting(const IdleSlots& idle, size_t arcs) : idle_(idle), heaps_(arcs), wanted_(idle.words(), 0) {}

  // Among equals the later turn first.
  void push(ArcId arc, uint64_t hops_left, uint64_t turn, uint32_t packet) {
    std::vector<uint64_t>& heap = heaps_[index(arc)];
    if (heap.empty()) mark(arc, true);
    heap.push_back(std::min<uint64_t>(hops_left, kMostHops) << 52U | (turn & kTurns) << 32U | packet);
    std::ranges::push_heap(heap);
  }
  [[nodiscard]] bool empty(ArcId arc) const { return heaps_[index(arc)].empty(); }
  uint32_t pop(ArcId arc) {
    std::vector<uint64_t>& heap = heaps_[index(arc)];
    std::ranges::pop_heap(heap);
    const auto packet = static_cast<uint32_t>(heap.back());
    heap.pop_back();
    if (heap.empty()) mark(arc, false);
    return packet;
  }
  [[nodiscard]] const std::vector<uint64_t>& wanted() const { return wanted_; }

 private:
  static constexpr uint64_t kMostHops = (uint64_t{1} << 12U) - 1;
  static constexpr uint64_t kTurns = (uint64_t{1} << 20U) - 1;

  void mark(ArcId arc, bool on) {
    for (uint32_t lane = idle_.first_lane(arc); lane < idle_.first_lane(id_at<ArcId>(index(arc) + 1));
         ++lane) {
      const uint64_t bit = uint64_t{1} << (lane & 63U);
      if (on) {
        wanted_[lane >> 6U] |= bit;
      } else {
        wanted_[lane >> 6U] &= ~bit;
      }
    }
  }

  const IdleSlots& idle_;
  std::vector<std::vector<uint64_t>> heaps_;
  std::vector<uint64_t> wanted_;  // lanes of arcs that somebody waits for
};

}  // namespace

TimedPaths fill_idle(const Problem& whole, const IdleSlots& idle, std::span<const BlockId> moved,
                     const Detours& detours, uint64_t from_step) {
  TimedPaths out;
  out.blocks.assign(moved.begin(), moved.end());
  out.begin = detours.begin;
  out.arcs = detours.arcs;
  out.step_of.assign(detours.arcs.size(), 0);
  Waiting waiting(idle, idle.of_arcs().size());
  std::vector<size_t> next(detours.begin.begin(), detours.begin.end() - 1);
  // Blocks of one destination do not come one after the other, or they meet there.
  std::vector<uint32_t> turn(moved.size());
  const Collective& collective = whole.collective();
  for (size_t i = 0; i < moved.size(); ++i) {
    const size_t from = index(collective.origin(moved[i]));
    const size_t to = index(collective.destination(moved[i]));
    turn[i] = static_cast<uint32_t>((to + collective.num_ranks() - from) % collective.num_ranks());
  }
  const auto wait = [&](uint32_t packet) {
    waiting.push(detours.arcs[next[packet]], detours.begin[packet + 1] - next[packet], turn[packet], packet);
  };
  for (uint32_t packet = 0; packet < moved.size(); ++packet) wait(packet);
  std::vector<uint32_t> moving;
  size_t on_the_way = moved.size();
  uint64_t t = from_step;
  for (; on_the_way > 0; ++t) {
    const uint64_t* row = idle.in_step(t);
    moving.clear();
    for (size_t w = 0; w < idle.words(); ++w) {
      for (uint64_t bits = row[w] & waiting.wanted()[w]; bits != 0; bits &= bits - 1) {
        const ArcId arc = idle.arc_of(w * 64 + static_cast<size_t>(std::countr_zero(bits)));
        if (waiting.empty(arc)) continue;
        const uint32_t packet = waiting.pop(arc);
        out.step_of[next[packet]++] = static_cast<uint32_t>(t);
        moving.push_back(packet);
      }
    }
    for (const uint32_t packet : moving) {
      if (next[packet] == detours.begin[packet + 1]) {
        --on_the_way;
      } else {
        wait(packet);
      }
    }
  }
  out.steps = static_cast<uint32_t>(std::max(idle.steps(), t));
  return out;
}

}  // namespace quadrille
