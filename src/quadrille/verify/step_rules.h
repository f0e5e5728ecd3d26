// The rules that look at one step alone: no step knows another, so any number of threads may each judge their
// own.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/load_meter.h"
#include "quadrille/verify/rules/half_duplex.h"
#include "quadrille/verify/rules/link_capacity.h"
#include "quadrille/verify/rules/receive_ports.h"
#include "quadrille/verify/rules/send_ports.h"
#include "quadrille/verify/rules/worm_routing.h"
#include "quadrille/verify/rules/worms_disjoint.h"

namespace quadrille {

/// One thread's set of them, with its counters.
struct StepRules {
  explicit StepRules(const Problem& problem)
      : send_ports(problem),
        receive_ports(problem),
        link_capacity(problem),
        worms_disjoint(problem),
        half_duplex(problem),
        worm_routing(problem),
        load(problem) {}

  void check(const JudgedStep& step, Findings& findings) {
    send_ports.check(step, findings);
    receive_ports.check(step, findings);
    link_capacity.check(step, findings);
    worms_disjoint.check(step, findings);
    half_duplex.check(step, findings);
    worm_routing.check(step, findings);
    load.measure(step);
  }

  rules::SendPorts send_ports;
  rules::ReceivePorts receive_ports;
  rules::LinkCapacity link_capacity;
  rules::WormsDisjoint worms_disjoint;
  rules::HalfDuplex half_duplex;
  rules::WormRouting worm_routing;
  LoadMeter load;
};

}  // namespace quadrille
