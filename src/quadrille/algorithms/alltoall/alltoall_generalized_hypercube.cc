// Total exchange on a product of complete graphs with all ports: one hop in every dimension that differs, in
// an order that an open shop decides. Each link carries N/n blocks, n the side of its dimension, so the
// shortest side decides: N/n steps.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/displacement_exchange.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_generalized_hypercube;

namespace alltoall_generalized_hypercube_parts {
namespace {

// The sides other than 1, or nothing.
std::vector<uint32_t> complete_sides(const Topology& topology) {
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr) return {};
  std::vector<uint32_t> sides;
  uint64_t links = 0;
  for (const uint32_t m : cayley->group->cyclic_moduli()) {
    if (m == 1) continue;
    sides.push_back(m);
    links += m - 1;
  }
  if (links != cayley->generators.size()) return {};
  for (const uint32_t g : cayley->generators) {
    uint32_t rest = g;
    size_t differing = 0;
    for (size_t i = sides.size(); i-- > 0;) {
      differing += rest % sides[i] != 0 ? 1 : 0;
      rest /= sides[i];
    }
    if (differing != 1) return {};
  }
  return sides;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  if (!complete_sides(problem.topology()).empty()) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a product of complete graphs; {} is none", problem.topology().name()));
}

Prediction predicted(const Problem& problem) {
  const std::vector<uint32_t> sides = complete_sides(problem.topology());
  const uint64_t steps = uint64_t{problem.topology().num_nodes()} /
                         *std::min_element(sides.begin(), sides.end()) * problem.collective().pieces();
  return {.steps = steps, .start_ups = steps, .busiest_link = steps};
}

void generate(const Problem& problem, StepSink& sink) {
  const std::vector<uint32_t> sides = complete_sides(problem.topology());
  const std::vector<uint32_t>& generators = problem.topology().cayley()->generators;
  DisplacementRoutes routes;
  for (uint32_t d = 1; d < problem.topology().num_nodes(); ++d) {
    uint32_t stride = 1;
    for (size_t i = sides.size(); i-- > 0;) {
      const uint32_t hop = d / stride % sides[i] * stride;
      stride *= sides[i];
      if (hop == 0) continue;
      const auto at = std::lower_bound(generators.begin(), generators.end(), hop);
      routes.push_back({d, static_cast<uint32_t>(at - generators.begin()), 1});
    }
  }
  displacement_exchange(problem, routes, sink);
}

}  // namespace
}  // namespace alltoall_generalized_hypercube_parts

constinit const Algorithm alltoall_generalized_hypercube = {
    .name = "alltoall_generalized_hypercube",
    .collective = CollectiveKind::kAlltoall,
    .summary = "one hop in every dimension that differs, ordered as an open shop",
    .source = "open shop by edge colouring (Koenig); ours",
    .remarks = "products of complete graphs, all ports; optimal: N over the shortest side",
    .counts_alone = true,
    .same_at_all_nodes = always,
    .applies = alltoall_generalized_hypercube_parts::applies,
    .prepare = by_formula<alltoall_generalized_hypercube_parts::predicted,
                          alltoall_generalized_hypercube_parts::generate>,
};

}  // namespace quadrille::algorithms
