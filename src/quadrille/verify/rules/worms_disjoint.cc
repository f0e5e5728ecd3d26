// Rule worms_disjoint: wormhole switching; no two worms of a step hold the same arc (as many as its capacity
// may), and none takes an arc twice.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/rule.h"

namespace quadrille::rules {

extern const RuleCard worms_disjoint;

namespace worms_disjoint_parts {
namespace {

class WormsDisjoint final : public StepRule {
 public:
  explicit WormsDisjoint(const Problem& problem)
      : topology_(problem.topology()), held_(problem.topology().num_arcs()) {}

  void check(const JudgedStep& step, Findings& findings) override {
    const StepView view = step.view;  // what is local stays in registers
    const auto capacities = topology_.capacities();
    for (size_t t = 0; t < view.size(); ++t) {
      const auto worm = static_cast<uint32_t>(t) + 1;
      for (const ArcId arc : view.arcs(t)) {
        Held& held = held_[index(arc)];
        if (held.step != step.number) held = {step.number, 0, 0};
        if (held.last == worm) [[unlikely]] {
          report_own_tail(step, t, arc, findings);
          continue;
        }
        held.last = worm;
        if (++held.worms > capacities[index(arc)]) [[unlikely]]
          report_shared(step, t, arc, held.worms, findings);
      }
    }
  }

 private:
  // The step in which an arc was last held, by how many worms, and by which last, counted from 1 in the step.
  struct Held {
    uint32_t step = 0;
    uint32_t worms = 0;
    uint32_t last = 0;
  };

  // The worm waits for what it holds itself. Another channel of the arc would be for another worm: a path is
  // a list of arcs, and says nothing of channels.
  [[gnu::noinline]] void report_own_tail(const JudgedStep& step, size_t t, ArcId arc,
                                         Findings& findings) const {
    findings.add(worms_disjoint, step.step(), step.transfer(t), {.arc = arc}, [&] {
      return fmt::format("the worm takes the link from {} to {} a second time, and blocks itself",
                         topology_.label(topology_.tail(arc)), topology_.label(topology_.head(arc)));
    });
  }

  [[gnu::noinline]] void report_shared(const JudgedStep& step, size_t t, ArcId arc, uint32_t worms,
                                       Findings& findings) const {
    findings.add(worms_disjoint, step.step(), step.transfer(t), {.arc = arc}, [&] {
      return fmt::format(
          "the link from {} to {} is on {} paths of this step with this one; its capacity is {}",
          topology_.label(topology_.tail(arc)), topology_.label(topology_.head(arc)), worms,
          topology_.capacity(arc));
    });
  }

  const Topology& topology_;
  std::vector<Held> held_;  // per arc
};

}  // namespace
}  // namespace worms_disjoint_parts

const RuleCard worms_disjoint{
    .name = "worms_disjoint",
    .summary = "no two worms of a step hold the same arc",
    .details =
        "Wormhole switching; with shared switching paths may share arcs. A worm holds every arc of its path for the whole step. An arc of capacity c is "
        "c channels and can be held by c worms. A worm that takes an arc twice blocks itself, whatever the "
        "capacity.",
    .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
      if (problem.model().switching != Switching::kWormhole) return nullptr;
      return std::make_unique<worms_disjoint_parts::WormsDisjoint>(problem);
    },
};

}  // namespace quadrille::rules
