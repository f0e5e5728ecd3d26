// Rule half_duplex: where the model says so, a link is used in one direction only in a step.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

class HalfDuplex {
 public:
  explicit HalfDuplex(const Problem& problem)
      : problem_(problem), used_(applies() ? problem.topology().num_arcs() : 0) {}

  void check(const JudgedStep& step, Findings& findings);

 private:
  [[nodiscard]] bool applies() const { return problem_.model().duplex == Duplex::kHalf; }

  const Problem& problem_;
  StepCount used_;
};

}  // namespace quadrille::rules
