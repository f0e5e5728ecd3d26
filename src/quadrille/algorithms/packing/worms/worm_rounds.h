// Rounds of worms: for exchanges that know who talks to whom in a round, but not who is in whose way.
//
// The worms of a round are packed into few steps (packing/worms/worm_packing.h); none of the next round starts
// before. So a schedule that was made for a crossbar runs on any network, at the price of its contention. What a step
// leaves of links of several lanes goes to its longest worms (packing/idle_lanes.h).
#pragma once

#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/packing/idle_lanes.h"
#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class WormRounds {
 public:
  struct Worm {
    Rank from;
    Rank to;
    std::vector<BlockId> blocks;
  };

  WormRounds(const Problem& problem, StepSink& sink);
  /// All worms of one round.
  void round(const std::vector<Worm>& worms);

 private:
  StepSink& sink_;
  WormPacking packing_;
  IdleLanes lanes_;
  StepBuilder step_;
};

/// Wormhole switching, and no more endpoints and nodes than next hops can be kept for.
[[nodiscard]] Applicability rounds_of_worms(const Problem& problem);

}  // namespace quadrille
