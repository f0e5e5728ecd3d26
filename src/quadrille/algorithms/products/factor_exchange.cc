#include "quadrille/algorithms/products/factor_exchange.h"

#include <algorithm>
#include <array>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/packing/greedy_packets.h"

namespace quadrille {
namespace {

// Optimal wherever they apply.
constexpr std::array kOptimal = {
    &algorithms::alltoall_line,
    &algorithms::alltoall_torus,
    &algorithms::alltoall_complete,
    &algorithms::alltoall_ring,
};

}  // namespace

Plan factor_exchange(const Topology& factor, uint32_t pieces) {
  const Problem problem = standard_problem(factor, CollectiveKind::kAlltoall, {}, kNoNode, pieces);
  const Algorithm* best = nullptr;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != CollectiveKind::kAlltoall || !card->applies(problem).applies) continue;
    const auto steps = [&](const Algorithm* a) { return a->claimed(problem).steps.value_or(UINT64_MAX); };
    if (best == nullptr || steps(card) < steps(best)) best = card;
  }
  Plan plan;
  best->generate(problem, plan);
  if (std::find(kOptimal.begin(), kOptimal.end(), best) != kOptimal.end()) return plan;
  Plan greedy;
  greedy_packets(problem, greedy);
  return greedy.num_steps() < plan.num_steps() ? greedy : plan;
}

std::vector<std::shared_ptr<const Plan>> factor_exchanges(const std::vector<Topology>& factors,
                                                          const std::vector<uint32_t>& pieces) {
  std::vector<std::shared_ptr<const Plan>> plans;
  for (size_t i = 0; i < factors.size(); ++i) {
    std::shared_ptr<const Plan> plan;
    for (size_t j = 0; j < i && plan == nullptr; ++j) {
      if (pieces[j] == pieces[i] && factors[j].same_graph(factors[i])) plan = plans[j];
    }
    if (plan == nullptr) plan = std::make_shared<const Plan>(factor_exchange(factors[i], pieces[i]));
    plans.push_back(std::move(plan));
  }
  return plans;
}

uint64_t busiest_link(const Plan& plan, const Topology& factor) {
  std::vector<uint64_t> load(factor.num_arcs(), 0);
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    for (const ArcId arc : plan.step(s).all_arcs) ++load[index(arc)];
  }
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

}  // namespace quadrille
