// Rule send_ports: a node starts at most as many messages in a step as it has send ports.
#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/messages.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

extern const RuleCard send_ports;

namespace send_ports_parts {
namespace {

class SendPorts final : public StepRule {
 public:
  explicit SendPorts(const Problem& problem)
      : topology_(problem.topology()),
        shared_(shares_arcs(problem.model())),
        limit_(problem.model().send.count),
        started_(problem.topology().num_nodes()),
        messages_(problem) {}

  void check(const JudgedStep& step, Findings& findings) override {
    if (!shared_) return count<false>(step, findings);
    messages_.look_at(step);
    count<true>(step, findings);
  }

 private:
  // A loop for each model: the one without messages is as short as it can be.
  template <bool kShared>
  void count(const JudgedStep& step, Findings& findings) {
    const StepView view = step.view;  // what is local stays in registers
    const auto tails = topology_.tails();
    for (size_t t = 0; t < view.size(); ++t) {
      if constexpr (kShared) {
        if (!messages_.is_new(t)) continue;
      }
      const size_t node = index(tails[index(view.arcs(t).front())]);
      const uint32_t count = started_.increment(node, step.number);
      if (count > limit_) [[unlikely]]
        report(step, t, count, findings);
    }
  }

  [[gnu::noinline]] void report(const JudgedStep& step, size_t t, uint32_t count, Findings& findings) const {
    findings.add(send_ports, step.step(), step.transfer(t), [&] {
      const NodeId node = topology_.tails()[index(step.view.arcs(t).front())];
      return fmt::format("node {} starts {} number {} of this step; it has {} send port{}",
                         topology_.label(node), shared_ ? "message" : "transfer", count, limit_,
                         limit_ == 1 ? "" : "s");
    });
  }

  const Topology& topology_;
  bool shared_;
  uint32_t limit_;
  StepCount started_;
  Messages messages_;
};

}  // namespace
}  // namespace send_ports_parts

const RuleCard send_ports{
    .name = "send_ports",
    .summary = "a node starts at most as many messages in a step as the model gives it send ports",
    .details =
        "Counted per node and step, routers included. "
        "A worm that passes through a node uses none of its ports. Every transfer is a message; where transfers "
        "may share arcs, those that take the same path are one.",
    .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
      if (problem.model().send.unlimited()) return nullptr;
      return std::make_unique<send_ports_parts::SendPorts>(problem);
    },
};

}  // namespace quadrille::rules
