// Rule send_ports: a node starts at most as many transfers in a step as it has send ports.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

class SendPorts {
 public:
  explicit SendPorts(const Problem& problem)
      : problem_(problem),
        limit_(problem.model().send.count),
        started_(limit_ == 0 ? 0 : problem.topology().num_nodes()) {}

  void check(const JudgedStep& step, Findings& findings);

 private:
  const Problem& problem_;
  uint32_t limit_;
  StepCount started_;
};

}  // namespace quadrille::rules
