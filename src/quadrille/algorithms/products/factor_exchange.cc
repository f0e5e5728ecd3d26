#include "quadrille/algorithms/products/factor_exchange.h"

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/packing/greedy_packets.h"
#include "quadrille/base/work_count.h"

namespace quadrille {

namespace {

struct MadeExchange {
  Topology factor;
  const FactorCandidate* candidates;  // a table that is there as long as the program
  uint32_t pieces;
  Model model;
  std::shared_ptr<const Plan> plan;
};

// What is kept for this thread: by the outermost that lives.
struct KeptExchanges {
  uint32_t keepers = 0;
  std::vector<MadeExchange> made{};
};

KeptExchanges& kept() {
  thread_local KeptExchanges exchanges;
  return exchanges;
}

bool is_optimal_in(const FactorCandidate& candidate, const Model& model) {
  if (model.send == kAllPorts && model.receive == kAllPorts && model.duplex == Duplex::kFull)
    return candidate.is_optimal;
  return model.send == kOnePort && model.receive == kOnePort && candidate.is_optimal_with_one_port;
}

Plan make_exchange(const Topology& factor, std::span<const FactorCandidate> candidates, uint32_t pieces,
                   const Model& model) {
  count_work(Work::kSearching);
  const Problem problem = standard_problem(factor, CollectiveKind::kAlltoall, model, kNoNode, pieces);
  PreparedPlan best;
  uint64_t fewest = UINT64_MAX;
  bool is_optimal = false;
  bool is_measured = false;  // what is greedy has made its plan in order to predict
  for (const FactorCandidate& candidate : candidates) {
    if (factor.num_nodes() > candidate.most_nodes) continue;
    const Preparation ready = prepare(*candidate.card, problem);
    if (!ready.fits.applies) continue;
    const PreparedPlan& plan = cheapest(ready.plans);
    const Prediction prediction = plan->prediction();
    is_measured = is_measured || prediction.measured;
    const uint64_t steps = prediction.steps.value_or(UINT64_MAX);
    if (best != nullptr && steps >= fewest) continue;
    best = plan;
    fewest = steps;
    is_optimal = is_optimal_in(candidate, model);
    if (is_optimal) break;
  }
  Plan plan;
  if (best != nullptr) best->generate(plan);
  if (best != nullptr && (is_optimal || is_measured)) return plan;
  Plan greedy;
  greedy_packets(problem, greedy);
  return best == nullptr || greedy.num_steps() < plan.num_steps() ? greedy : plan;
}

}  // namespace

Model model_of_factor(const Problem& product, const Topology& factor) {
  uint64_t most = 0;
  for (const NodeId v : factor.nodes()) {
    uint64_t links = 0;
    for (const ArcId arc : factor.arcs_from(v)) links += factor.capacity(arc);
    most = std::max(most, links);
  }
  const auto at_most = [most](Ports ports) { return ports.count >= most ? kAllPorts : ports; };
  const Model& model = product.model();
  return {.send = at_most(model.send), .receive = at_most(model.receive), .duplex = model.duplex};
}

SharedFactorExchanges::SharedFactorExchanges() { ++kept().keepers; }

SharedFactorExchanges::~SharedFactorExchanges() {
  if (--kept().keepers == 0) kept().made.clear();
}

std::shared_ptr<const Plan> factor_exchange(const Topology& factor,
                                            std::span<const FactorCandidate> candidates, uint32_t pieces,
                                            const Model& model) {
  for (const MadeExchange& made : kept().made) {
    if (made.pieces == pieces && made.candidates == candidates.data() && made.model == model &&
        made.factor.same_graph(factor))
      return made.plan;
  }
  auto plan = std::make_shared<const Plan>(make_exchange(factor, candidates, pieces, model));
  if (kept().keepers > 0) kept().made.push_back({factor, candidates.data(), pieces, model, plan});
  return plan;
}

std::shared_ptr<const Plan> FactorExchanges::of(const Topology& factor, uint32_t pieces) {
  for (const auto& [topology, its_pieces, plan] : made_) {
    if (its_pieces == pieces && topology.same_graph(factor)) return plan;
  }
  auto plan = factor_exchange(factor, candidates_, pieces);
  made_.emplace_back(factor, pieces, plan);
  return plan;
}

uint64_t busiest_link(const Plan& plan, const Topology& factor) {
  std::vector<uint64_t> load(factor.num_arcs(), 0);
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    for (const ArcId arc : plan.step(s).all_arcs) ++load[index(arc)];
  }
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

}  // namespace quadrille
