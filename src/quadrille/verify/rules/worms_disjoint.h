// Rule worms_disjoint: wormhole switching; no two worms of a step hold the same arc (as many as its capacity
// may), and none takes an arc twice.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

class WormsDisjoint {
 public:
  explicit WormsDisjoint(const Problem& problem)
      : problem_(problem), held_(applies() ? problem.topology().num_arcs() : 0) {}

  void check(const JudgedStep& step, Findings& findings);

 private:
  // The step in which an arc was last held, by how many worms, and by which last, counted from 1 in the step.
  struct Held {
    uint32_t step = 0;
    uint32_t worms = 0;
    uint32_t last = 0;
  };

  [[nodiscard]] bool applies() const { return problem_.model().switching == Switching::kWormhole; }

  const Problem& problem_;
  std::vector<Held> held_;  // per arc
};

}  // namespace quadrille::rules
