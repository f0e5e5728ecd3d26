// Rule half_duplex: where the model says so, a link is used in one direction only in a step.
#include <fmt/format.h>

#include <memory>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/step_count.h"

namespace quadrille::rules {

extern const RuleCard half_duplex;

namespace half_duplex_parts {
namespace {

class HalfDuplex final : public StepRule {
 public:
  explicit HalfDuplex(const Problem& problem) : problem_(problem), used_(problem.topology().num_arcs()) {}

  void check(const JudgedStep& step, Findings& findings) override;

 private:
  const Problem& problem_;
  StepCount used_;
};

void HalfDuplex::check(const JudgedStep& step, Findings& findings) {
  const Topology& topology = problem_.topology();
  for (size_t t = 0; t < step.view.size(); ++t) {
    for (const ArcId arc : step.view.arcs(t)) {
      used_.increment(index(arc), step.number);
      const ArcId back = topology.reverse(arc);
      if (back == kNoArc || used_.count(index(back), step.number) == 0) continue;
      findings.add(half_duplex, step.step(), step.transfer(t), {.arc = arc}, [&] {
        return fmt::format("the half-duplex link from {} to {} is used in both directions",
                           topology.label(topology.tail(arc)), topology.label(topology.head(arc)));
      });
    }
  }
}

}  // namespace
}  // namespace half_duplex_parts

const RuleCard half_duplex{
    .name = "half_duplex",
    .summary = "a half-duplex link is used in one direction only in a step",
    .details = "Only where the model has half-duplex links.",
    .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
      if (problem.model().duplex != Duplex::kHalf) return nullptr;
      return std::make_unique<half_duplex_parts::HalfDuplex>(problem);
    },
};

}  // namespace quadrille::rules
