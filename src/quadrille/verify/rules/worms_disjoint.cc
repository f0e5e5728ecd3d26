#include "quadrille/verify/rules/worms_disjoint.h"

#include <fmt/format.h>

namespace quadrille::rules {

const RuleCard worms_disjoint{
    .name = "worms_disjoint",
    .summary = "no two worms of a step hold the same arc",
    .details =
        "Wormhole switching: a worm holds every arc of its path for the whole step. An arc of capacity c is "
        "c channels and can be held by c worms. A worm that takes an arc twice blocks itself, whatever the "
        "capacity.",
};

void WormsDisjoint::check(const JudgedStep& step, Findings& findings) {
  if (!applies()) return;
  const Topology& topology = problem_.topology();
  const auto capacities = topology.capacities();
  for (size_t t = 0; t < step.view.size(); ++t) {
    const auto worm = static_cast<uint32_t>(t) + 1;
    for (const ArcId arc : step.view.arcs(t)) {
      Held& held = held_[index(arc)];
      if (held.step != step.number) held = {step.number, 0, 0};
      // It holds one channel and waits for ever for another, which its own tail would have to leave.
      if (held.last == worm) [[unlikely]] {
        findings.add(worms_disjoint, step.step(), step.transfer(t), [&] {
          return fmt::format("the worm takes the link from {} to {} a second time, and blocks itself",
                             topology.label(topology.tail(arc)), topology.label(topology.head(arc)));
        });
        continue;
      }
      held.last = worm;
      const uint32_t count = ++held.worms;
      if (count > capacities[index(arc)]) [[unlikely]] {
        findings.add(worms_disjoint, step.step(), step.transfer(t), [&] {
          return fmt::format(
              "the link from {} to {} is held by worm number {} of this step; its capacity is {}",
              topology.label(topology.tail(arc)), topology.label(topology.head(arc)), count,
              topology.capacity(arc));
        });
      }
    }
  }
}

}  // namespace quadrille::rules
