#include "quadrille/compile/lending/plan_rounds.h"

#include <algorithm>
#include <vector>

namespace quadrille {

uint64_t rounds_of(const Topology& topology, const Plan& plan) {
  std::vector<uint64_t> load(topology.num_arcs(), 0);
  uint64_t rounds = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    uint64_t most = 0;
    for (size_t t = 0; t < step.size(); ++t) {
      for (const ArcId arc : step.arcs(t)) {
        load[index(arc)] += step.blocks(t).size();
        most = std::max(most, (load[index(arc)] + topology.capacity(arc) - 1) / topology.capacity(arc));
      }
    }
    for (const ArcId arc : step.all_arcs) load[index(arc)] = 0;
    rounds += most;
  }
  return rounds;
}

}  // namespace quadrille
