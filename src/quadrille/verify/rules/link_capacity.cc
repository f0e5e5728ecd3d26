#include "quadrille/verify/rules/link_capacity.h"

#include <fmt/format.h>

namespace quadrille::rules {

const RuleCard link_capacity{
    .name = "link_capacity",
    .summary = "an arc carries at most as many transfers in a step as its capacity",
    .details =
        "Packet switching; worms are held apart by worms_disjoint. The two directions of a link are two "
        "arcs.",
};

void LinkCapacity::check(const JudgedStep& step, Findings& findings) {
  if (!applies()) return;
  const Topology& topology = problem_.topology();
  const auto capacities = topology.capacities();
  for (size_t t = 0; t < step.view.size(); ++t) {
    const ArcId arc = step.view.arcs(t).front();
    const uint32_t count = used_.increment(index(arc), step.number);
    if (count > capacities[index(arc)]) [[unlikely]] {
      findings.add(link_capacity, step.step(), step.transfer(t), [&] {
        return fmt::format(
            "the link from {} to {} carries transfer number {} of this step; its capacity is {}",
            topology.label(topology.tail(arc)), topology.label(topology.head(arc)), count,
            topology.capacity(arc));
      });
    }
  }
}

}  // namespace quadrille::rules
