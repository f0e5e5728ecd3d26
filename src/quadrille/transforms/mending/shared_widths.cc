#include "quadrille/transforms/mending/shared_widths.h"

namespace quadrille {

std::vector<uint32_t> widths_of(const Problem& problem, const Plan& plan) {
  std::vector<uint32_t> out;
  if (!shares_arcs(problem.model())) return out;
  const Topology& topology = problem.topology();
  std::vector<uint64_t> load(topology.num_arcs(), 0);
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    std::ranges::fill(load, 0);
    const StepView step = plan.step(s);
    uint64_t width = 1;
    for (size_t t = 0; t < step.size(); ++t) {
      for (const ArcId arc : step.arcs(t)) {
        const uint64_t capacity = topology.capacity(arc);
        width = std::max(width, ((load[index(arc)] += step.blocks(t).size()) + capacity - 1) / capacity);
      }
    }
    out.push_back(static_cast<uint32_t>(width));
  }
  return out;
}

}  // namespace quadrille
