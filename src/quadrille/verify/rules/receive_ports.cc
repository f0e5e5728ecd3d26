// Rule receive_ports: a node ends at most as many messages in a step as it has receive ports.
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

extern const RuleCard receive_ports;

namespace receive_ports_parts {
namespace {

class ReceivePorts final : public StepRule {
 public:
  explicit ReceivePorts(const Problem& problem)
      : topology_(problem.topology()),
        shared_(shares_arcs(problem.model())),
        limit_(problem.model().receive.count),
        ended_(problem.topology().num_nodes()),
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
    const auto heads = topology_.heads();
    for (size_t t = 0; t < view.size(); ++t) {
      if constexpr (kShared) {
        if (!messages_.is_new(t)) continue;
      }
      const size_t node = index(heads[index(view.arcs(t).back())]);
      const uint32_t count = ended_.increment(node, step.number);
      if (count > limit_) [[unlikely]]
        report(step, t, count, findings);
    }
  }

  [[gnu::noinline]] void report(const JudgedStep& step, size_t t, uint32_t count, Findings& findings) const {
    findings.add(receive_ports, step.step(), step.transfer(t), [&] {
      const NodeId node = topology_.heads()[index(step.view.arcs(t).back())];
      return fmt::format("node {} ends {} number {} of this step; it has {} receive port{}",
                         topology_.label(node), shared_ ? "message" : "transfer", count, limit_,
                         limit_ == 1 ? "" : "s");
    });
  }

  const Topology& topology_;
  bool shared_;
  uint32_t limit_;
  StepCount ended_;
  Messages messages_;
};

}  // namespace
}  // namespace receive_ports_parts

const RuleCard receive_ports{
    .name = "receive_ports",
    .summary = "a node ends at most as many messages in a step as the model gives it receive ports",
    .details =
        "Counted per node and step, routers included. "
        "A worm that passes through a node uses none of its ports. Every transfer is a message; where transfers "
        "may share arcs, those that take the same path are one.",
    .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
      if (problem.model().receive.unlimited()) return nullptr;
      return std::make_unique<receive_ports_parts::ReceivePorts>(problem);
    },
};

}  // namespace quadrille::rules
