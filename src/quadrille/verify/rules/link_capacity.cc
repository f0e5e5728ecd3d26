// Rule link_capacity: packet switching, one packet; an arc carries at most as many transfers in a step as its capacity.
#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

extern const RuleCard link_capacity;

namespace link_capacity_parts {
namespace {

class LinkCapacity final : public StepRule {
 public:
  explicit LinkCapacity(const Problem& problem)
      : topology_(problem.topology()), used_(problem.topology().num_arcs()) {}

  void check(const JudgedStep& step, Findings& findings) override {
    const StepView view = step.view;  // what is local stays in registers
    const auto capacities = topology_.capacities();
    for (size_t t = 0; t < view.size(); ++t) {
      const size_t arc = index(view.arcs(t).front());
      const uint32_t count = used_.increment(arc, step.number);
      if (count > capacities[arc]) [[unlikely]]
        report(step, t, count, findings);
    }
  }

 private:
  [[gnu::noinline]] void report(const JudgedStep& step, size_t t, uint32_t count, Findings& findings) const {
    findings.add(link_capacity, step.step(), step.transfer(t), {.arc = step.view.arcs(t).front()}, [&] {
      const ArcId arc = step.view.arcs(t).front();
      return fmt::format(
          "the link from {} to {} carries {} transfers in this step with this one; its capacity is {}",
          topology_.label(topology_.tail(arc)), topology_.label(topology_.head(arc)), count,
          topology_.capacity(arc));
    });
  }

  const Topology& topology_;
  StepCount used_;
};

}  // namespace
}  // namespace link_capacity_parts

const RuleCard link_capacity{
    .name = "link_capacity",
    .summary = "an arc carries at most as many transfers in a step as its capacity",
    .details =
        "Packet switching with one packet for an arc and step; with many, each takes its turn. Worms are held "
        "apart by worms_disjoint. "
        "The two directions of a link are two arcs.",
    .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
      if (!sends_single_packets(problem.model())) return nullptr;
      return std::make_unique<link_capacity_parts::LinkCapacity>(problem);
    },
};

}  // namespace quadrille::rules
