#include "quadrille/algorithms/cayley/displacement_exchange.h"

#include <algorithm>

namespace quadrille {
namespace {

uint32_t num_jobs(const Problem& problem, const DisplacementRoutes& routes) {
  uint32_t jobs = problem.topology().num_nodes();
  for (const Leg& leg : routes) jobs = std::max(jobs, leg.displacement + 1);
  return jobs;
}

}  // namespace

std::vector<uint64_t> generator_loads(const DisplacementRoutes& routes, size_t num_generators) {
  std::vector<uint64_t> loads(num_generators, 0);
  for (const Leg& leg : routes) loads[leg.generator] += leg.hops;
  return loads;
}

uint64_t exchange_steps(const Problem& problem, const DisplacementRoutes& routes) {
  uint64_t steps = 0;
  for (const uint64_t load : generator_loads(routes, problem.topology().cayley()->generators.size()))
    steps = std::max(steps, load);
  std::vector<uint64_t> lengths(num_jobs(problem, routes), 0);
  for (const Leg& leg : routes) steps = std::max(steps, lengths[leg.displacement] += leg.hops);
  return steps;
}

void displacement_exchange(const Problem& problem, const DisplacementRoutes& routes, StepSink& sink,
                           const SpecialJob& special) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const Group& group = *cayley.group;
  const uint32_t jobs = num_jobs(problem, routes);
  std::vector<Operation> operations;
  for (const Leg& leg : routes)
    operations.insert(operations.end(), leg.hops, {leg.displacement, leg.generator});
  const ShopPlan plan = open_shop(jobs, static_cast<uint32_t>(cayley.generators.size()), operations);

  TranslatedStep step(problem, sink);
  std::vector<uint32_t> left(group.order());
  std::vector<uint32_t> slots_before(jobs - group.order());
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    step.set_piece(piece);
    for (uint32_t d = 0; d < left.size(); ++d) left[d] = d;
    std::fill(slots_before.begin(), slots_before.end(), 0);
    for (uint32_t t = 0; t < plan.num_slots(); ++t) {
      for (const Operation& o : plan.slot(t)) {
        if (o.job >= group.order()) {
          special(o, slots_before[o.job - group.order()]++, step);
          continue;
        }
        const uint32_t moved = group.multiply(o.job, group.inverse(left[o.job]));
        step.add(o.machine, moved, left[o.job]);
        const uint32_t back = cayley.generators[cayley.inverses[o.machine]];
        left[o.job] = group.multiply(left[o.job], back);
      }
      step.flush();
    }
  }
}

}  // namespace quadrille
