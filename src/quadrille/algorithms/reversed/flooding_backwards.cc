#include "quadrille/algorithms/reversed/flooding_backwards.h"

#include <fmt/format.h>

#include "quadrille/base/text.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {
namespace {

// Eight bytes a transfer: a gibibyte.
constexpr uint64_t kMostTransfers = uint64_t{1} << 27U;

// Without the copies that no endpoint has from them in the end.
Plan without_dead_ends(const Problem& allgather, const Plan& plan) {
  const Topology& topology = allgather.topology();
  const size_t blocks = allgather.collective().num_blocks();
  if (!topology.has_routers()) return plan;
  std::vector<bool> needed(blocks * topology.num_nodes(), false);
  for (const NodeId v : topology.endpoints()) {
    for (size_t b = 0; b < blocks; ++b) needed[index(v) * blocks + b] = true;
  }
  std::vector<std::vector<size_t>> kept(plan.num_steps());
  for (size_t s = plan.num_steps(); s-- > 0;) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const size_t block = index(step.all_blocks[t]);
      if (!needed[index(topology.head(step.all_arcs[t])) * blocks + block]) continue;
      needed[index(topology.tail(step.all_arcs[t])) * blocks + block] = true;
      kept[s].push_back(t);
    }
  }
  Plan out;
  StepBuilder builder;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    for (const size_t t : kept[s]) builder.add(plan.step(s).all_arcs[t], plan.step(s).all_blocks[t]);
    builder.flush(out);
  }
  return out;
}

}  // namespace

Applicability can_store_flooding(const Problem& problem) {
  const uint64_t transfers = uint64_t{problem.topology().num_nodes()} * problem.topology().num_endpoints() *
                             problem.collective().pieces();
  if (transfers <= kMostTransfers) return Applicability::yes();
  return Applicability::no(
      fmt::format("it stores the plan that it reads backwards: up to {} transfers, {} has {}",
                  with_thousands(kMostTransfers), problem.title(), with_thousands(transfers)));
}

Plan flooding_backwards(const Algorithm& flooding, const Problem& reduce_scatter) {
  const Problem allgather = reversed(reduce_scatter);
  Plan plan;
  flooding.plan_for(allgather)->generate(plan);
  return reverse(allgather, without_dead_ends(allgather, plan));
}

}  // namespace quadrille
