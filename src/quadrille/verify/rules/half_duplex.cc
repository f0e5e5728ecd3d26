#include "quadrille/verify/rules/half_duplex.h"

#include <fmt/format.h>

namespace quadrille::rules {

const RuleCard half_duplex{
    .name = "half_duplex",
    .summary = "a half-duplex link is used in one direction only in a step",
    .details = "Only where the model has half-duplex links.",
};

void HalfDuplex::check(const JudgedStep& step, Findings& findings) {
  if (!applies()) return;
  const Topology& topology = problem_.topology();
  for (size_t t = 0; t < step.view.size(); ++t) {
    for (const ArcId arc : step.view.arcs(t)) {
      used_.increment(index(arc), step.number);
      const ArcId back = topology.reverse(arc);
      if (back == kNoArc || used_.count(index(back), step.number) == 0) continue;
      findings.add(half_duplex, step.step(), step.transfer(t), [&] {
        return fmt::format("the half-duplex link from {} to {} is used in both directions",
                           topology.label(topology.tail(arc)), topology.label(topology.head(arc)));
      });
    }
  }
}

}  // namespace quadrille::rules
