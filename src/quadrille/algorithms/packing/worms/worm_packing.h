// Worm packing: worms that can all go at any time, packed into few steps of disjoint paths.
//
// First fit: one worm after another, longest first, goes into the first step in which one of its ways is
// free (graphs/shortest_paths.h). Then the worms are packed again and again, all that shared a step next to
// each other, the steps in another order: backwards, shuffled, or those with most worms first. That never
// takes more steps, and often fewer (iterated greedy colouring: Culberson 1992).
//
//     WormPacking packing(problem);
//     packing.pack(worms, budget);
//     for (size_t s = 0; s < packing.num_steps(); ++s)
//       for (const uint32_t w : packing.step(s)) use(w, packing.path(w));
//
// Deterministic: the budget is counted in work, not in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/graphs/shortest_paths.h"
#include "quadrille/algorithms/packing/reservation_table.h"
#include "quadrille/algorithms/packing/worms/disjoint_ways.h"
#include "quadrille/base/random.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class WormPacking {
 public:
  struct Worm {
    Rank from;
    Rank to;
  };

  /// `sharing`: so many worms may share each lane of a link in a step.
  explicit WormPacking(const Problem& problem, uint32_t sharing = 1);

  /// Packs them once, and again while ReservationTable::work() is less than the budget and it has helped
  /// lately. Among worms of one length the given order counts.
  void pack(std::vector<Worm> worms, uint64_t budget);

  /// The same of worms that may also go a way that is given; budget as above.
  void pack_along(std::vector<Worm> worms, const std::vector<std::span<const ArcId>>& given, uint64_t budget);

  /// Few worms are packed again half as often, with one way each until the busiest link says that it is enough, and whether
  /// they go in one step is settled by trying: for those who pack many rounds.
  void settle_soon() { settles_soon_ = true; }

  [[nodiscard]] size_t num_steps() const { return step_ends_.size(); }
  /// The worms of a step, as positions in what was given.
  [[nodiscard]] std::span<const uint32_t> step(size_t s) const;
  /// Valid until the next call.
  [[nodiscard]] std::span<const ArcId> path(uint32_t worm);

 private:
  void start(std::vector<Worm> worms);
  void keep_ways(uint32_t most);
  [[nodiscard]] std::span<const ArcId> way(uint32_t worm, uint32_t w);
  [[nodiscard]] uint32_t num_ways(uint32_t worm) const;
  void place(uint32_t worm);
  void pack_in_order();
  void improve(uint64_t budget);
  void sort_by_step();
  void reorder();
  [[nodiscard]] bool settles_few() const;
  [[nodiscard]] size_t least_steps();
  [[nodiscard]] bool settle_one_step();

  const Problem& problem_;
  ShortestPaths ways_;
  ReservationTable reservations_;
  DisjointWays disjoint_;
  Rng rng_{1};
  bool settles_soon_ = false;
  uint32_t ways_in_use_ = 1;
  std::vector<Worm> worms_;
  std::vector<uint32_t> order_;    // worms as they are placed; after pack_in_order() step by step
  std::vector<size_t> step_ends_;  // in order_
  std::vector<uint32_t> step_;     // by worm
  std::vector<uint8_t> chosen_;    // its way
  // All ways in use of all worms, where they are few enough: those of worm w from first_way_[w] on.
  std::vector<size_t> first_way_;
  std::vector<size_t> way_ends_;
  std::vector<ArcId> kept_ways_;
  std::vector<ArcId> scratch_;
};

/// No worms that have a block for each other rank, each on a way of its own, take fewer rounds. One search of the graph for each
/// endpoint.
[[nodiscard]] uint64_t worm_rounds_at_least(const Problem& exchange);

}  // namespace quadrille
