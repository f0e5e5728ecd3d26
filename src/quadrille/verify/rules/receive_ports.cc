#include "quadrille/verify/rules/receive_ports.h"

#include <fmt/format.h>

namespace quadrille::rules {

const RuleCard receive_ports{
    .name = "receive_ports",
    .summary = "a node ends at most as many transfers in a step as the model gives it receive ports",
    .details =
        "Counted per node and step, routers included. A worm that passes through a node uses none of its "
        "ports.",
};

void ReceivePorts::check(const JudgedStep& step, Findings& findings) {
  if (limit_ == Ports::kAll) return;
  const auto heads = problem_.topology().heads();
  for (size_t t = 0; t < step.view.size(); ++t) {
    const NodeId receiver = heads[index(step.view.arcs(t).back())];
    const uint32_t count = ended_.increment(index(receiver), step.number);
    if (count > limit_) [[unlikely]] {
      findings.add(receive_ports, step.step(), step.transfer(t), [&] {
        return fmt::format("node {} ends transfer number {} of this step; it has {} receive port{}",
                           problem_.topology().label(receiver), count, limit_, limit_ == 1 ? "" : "s");
      });
    }
  }
}

}  // namespace quadrille::rules
