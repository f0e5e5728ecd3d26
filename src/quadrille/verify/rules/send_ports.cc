#include "quadrille/verify/rules/send_ports.h"

#include <fmt/format.h>

namespace quadrille::rules {

const RuleCard send_ports{
    .name = "send_ports",
    .summary = "a node starts at most as many transfers in a step as the model gives it send ports",
    .details =
        "Counted per node and step, routers included. A worm that passes through a node uses none of its "
        "ports.",
};

void SendPorts::check(const JudgedStep& step, Findings& findings) {
  if (limit_ == Ports::kAll) return;
  const auto tails = problem_.topology().tails();
  for (size_t t = 0; t < step.view.size(); ++t) {
    const NodeId sender = tails[index(step.view.arcs(t).front())];
    const uint32_t count = started_.increment(index(sender), step.number);
    if (count > limit_) [[unlikely]] {
      findings.add(send_ports, step.step(), step.transfer(t), [&] {
        return fmt::format("node {} starts transfer number {} of this step; it has {} send port{}",
                           problem_.topology().label(sender), count, limit_, limit_ == 1 ? "" : "s");
      });
    }
  }
}

}  // namespace quadrille::rules
