#include "quadrille/verify/rules/port_rule.h"

#include <fmt/format.h>

#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/messages.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {
namespace {

// A node has at most `limit` messages of which that end is at it in a step.
template <MessageEnd kEnd>
class PortRule final : public StepRule {
 public:
  PortRule(const RuleCard& card, const Problem& problem, uint32_t limit)
      : card_(card),
        topology_(problem.topology()),
        shared_(shares_arcs(problem.model())),
        limit_(limit),
        counts_(problem.topology().num_nodes()),
        messages_(problem) {}

  void check(const JudgedStep& step, Findings& findings) override {
    if (!shared_) return count<false>(step, findings);
    messages_.look_at(step);
    count<true>(step, findings);
  }

 private:
  static constexpr bool kStarts = kEnd == MessageEnd::kStart;

  // A loop for each model: the one without messages is as short as it can be.
  template <bool kShared>
  void count(const JudgedStep& step, Findings& findings) {
    const StepView view = step.view;  // what is local stays in registers
    const auto nodes = kStarts ? topology_.tails() : topology_.heads();
    for (size_t t = 0; t < view.size(); ++t) {
      if constexpr (kShared) {
        if (!messages_.is_new(t)) continue;
      }
      const NodeId node = nodes[index(kStarts ? view.arcs(t).front() : view.arcs(t).back())];
      const uint32_t count = counts_.increment(index(node), step.number);
      if (count > limit_) [[unlikely]]
        report(step, t, node, count, findings);
    }
  }

  [[gnu::noinline]] void report(const JudgedStep& step, size_t t, NodeId node, uint32_t count,
                                Findings& findings) const {
    findings.add(card_, step.step(), step.transfer(t),
                 {.node = node, .arc = kStarts ? step.view.arcs(t).front() : step.view.arcs(t).back()}, [&] {
                   return fmt::format("node {} {} {} {} in this step with this one; it has {} {} port{}",
                                      topology_.label(node), kStarts ? "sends" : "receives", count,
                                      shared_ ? "messages" : "transfers", limit_,
                                      kStarts ? "send" : "receive", limit_ == 1 ? "" : "s");
                 });
  }

  const RuleCard& card_;
  const Topology& topology_;
  bool shared_;
  uint32_t limit_;
  StepCount counts_;
  Messages messages_;
};

}  // namespace

std::unique_ptr<StepRule> port_rule(const RuleCard& card, const Problem& problem, MessageEnd end) {
  const bool starts = end == MessageEnd::kStart;
  const Ports& ports = starts ? problem.model().send : problem.model().receive;
  if (ports.unlimited()) return nullptr;
  if (starts) return std::make_unique<PortRule<MessageEnd::kStart>>(card, problem, ports.count);
  return std::make_unique<PortRule<MessageEnd::kEnd>>(card, problem, ports.count);
}

}  // namespace quadrille::rules
