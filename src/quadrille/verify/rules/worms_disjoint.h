// Rule worms_disjoint: wormhole switching; no two worms of a step hold the same arc (as many as its capacity
// may).
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

class WormsDisjoint {
 public:
  explicit WormsDisjoint(const Problem& problem)
      : problem_(problem), used_(applies() ? problem.topology().num_arcs() : 0) {}

  void check(const JudgedStep& step, Findings& findings);

 private:
  [[nodiscard]] bool applies() const { return problem_.model().switching == Switching::kWormhole; }

  const Problem& problem_;
  StepCount used_;
};

}  // namespace quadrille::rules
