// Rule link_capacity: packet switching; an arc carries at most as many transfers in a step as its capacity.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

class LinkCapacity {
 public:
  explicit LinkCapacity(const Problem& problem)
      : problem_(problem), used_(applies() ? problem.topology().num_arcs() : 0) {}

  void check(const JudgedStep& step, Findings& findings);

 private:
  [[nodiscard]] bool applies() const { return problem_.model().switching == Switching::kPacket; }

  const Problem& problem_;
  StepCount used_;
};

}  // namespace quadrille::rules
