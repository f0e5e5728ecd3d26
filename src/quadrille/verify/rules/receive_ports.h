// Rule receive_ports: a node ends at most as many transfers in a step as it has receive ports.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

class ReceivePorts {
 public:
  explicit ReceivePorts(const Problem& problem)
      : problem_(problem),
        limit_(problem.model().receive.count),
        ended_(limit_ == 0 ? 0 : problem.topology().num_nodes()) {}

  void check(const JudgedStep& step, Findings& findings);

 private:
  const Problem& problem_;
  uint32_t limit_;
  StepCount ended_;
};

}  // namespace quadrille::rules
