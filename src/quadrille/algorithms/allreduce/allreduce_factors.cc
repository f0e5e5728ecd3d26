// Allreduce on a product of networks, factor after factor, for short vectors.
//
// In every line of the first factor at once its allreduce is done, then in every line of the second what was added up in the
// first, and so on: as many steps as the factors take together, which with all ports is the diameter
// where each of them takes its own. Sums that a factor's plan leaves apart stay apart: the next one counts them as
// one, in slots of its own.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_factors;
extern const Algorithm allreduce_bfs_tree;
extern const Algorithm allreduce_ring_latency;
extern const Algorithm allreduce_search;

namespace allreduce_factors_parts {
namespace {

struct Stage {
  size_t dimension;
  std::shared_ptr<const Plan> plan;
};

// The highest slot that a plan names.
uint32_t last_slot(const Plan& plan) {
  uint32_t out = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) out = std::max(out, step.slots_of(t).to);
  }
  return out;
}

// With as many slots beside the first; a tree needs none.
std::shared_ptr<const Plan> plan_of(const Problem& problem, const Topology& factor, uint32_t slots) {
  const Problem part = standard_problem(factor, CollectiveKind::kAllreduce, model_of_factor(problem, factor));
  auto best = std::make_shared<Plan>();
  allreduce_bfs_tree.plan_for(part)->generate(*best);
  for (const Algorithm* card : {&allreduce_ring_latency, &allreduce_search}) {
    const Preparation ready = prepare(*card, part);
    if (!ready.fits.applies) continue;
    const WorthMaking fewer(best->num_steps());  // a search that can find no fewer is left out
    const PreparedPlan& plan = cheapest(ready.plans);
    if (plan->prediction().steps.value_or(UINT64_MAX) >= best->num_steps()) continue;
    auto better = std::make_shared<Plan>();
    plan->generate(*better);
    if (last_slot(*better) <= slots) best = std::move(better);
  }
  return best;
}

std::vector<Stage> stages(const Problem& problem) {
  const ProductStructure& product = *problem.topology().product();
  std::vector<Stage> out;
  uint32_t left = SumSlots::kCount - 1;
  for (size_t i = 0; i < product.factors.size(); ++i) {
    if (product.factors[i].num_nodes() == 1) continue;
    size_t same = 0;
    while (same < out.size() && !product.factors[out[same].dimension].same_graph(product.factors[i])) ++same;
    const bool again = same < out.size() && last_slot(*out[same].plan) <= left;
    out.push_back({i, again ? out[same].plan : plan_of(problem, product.factors[i], left)});
    left -= last_slot(*out.back().plan);
  }
  return out;
}

Prediction predicted(const Problem& problem, const std::vector<Stage>& stages) {
  uint64_t steps = 0;
  for (const Stage& stage : stages) steps += stage.plan->num_steps();
  Prediction out{.steps = steps, .start_ups = steps};
  if (!carries_many(problem.model())) return out;
  if (!has_wide_arcs(problem.topology())) out.critical_blocks = steps * problem.collective().pieces();
  if (takes_paths(problem.model())) out.critical_hops = steps;
  return out;
}

// Slot 0 of a stage is all that the stages before have left.
SumSlots after(uint32_t before, SumSlots slots) {
  if (slots.to != 0) slots.to += before;
  if (slots.from != SumSlots::kAll) {
    const uint32_t own = (slots.from & 1U) != 0 ? (2U << before) - 1 : 0;
    slots.from = (slots.from & ~1U) << before | own;
  }
  return slots;
}

void generate(const Problem& problem, const std::vector<Stage>& stages, StepSink& sink) {
  const Topology& net = problem.topology();
  const ProductStructure& product = *net.product();
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  StepBuilder builder;
  uint32_t before = 0;
  for (const Stage& stage : stages) {
    const Topology& factor = product.factors[stage.dimension];
    std::vector<NodeId> lines;
    for (const NodeId v : net.nodes()) {
      if (product.coordinate(v, stage.dimension) == 0) lines.push_back(v);
    }
    for (size_t s = 0; s < stage.plan->num_steps(); ++s) {
      const StepView step = stage.plan->step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const ArcId arc = step.arcs(t).front();
        const auto from = static_cast<uint32_t>(index(factor.tail(arc)));
        const auto to = static_cast<uint32_t>(index(factor.head(arc)));
        for (const NodeId line : lines) {
          const ArcId over = *net.find_arc(product.with_coordinate(line, stage.dimension, from),
                                           product.with_coordinate(line, stage.dimension, to));
          builder.add({&over, 1}, blocks, step.op(t), after(before, step.slots_of(t)));
        }
      }
      builder.flush(sink);
    }
    before += last_slot(*stage.plan);
  }
}

Applicability applies(const Problem& problem) {
  const ProductStructure* product = problem.topology().product();
  if (product == nullptr || problem.topology().has_routers())
    return Applicability::no("needs a product of networks without routers");
  if (problem.model().duplex == Duplex::kHalf) return Applicability::no("needs links of full duplex");
  if (sends_single_packets(problem.model()) && problem.collective().pieces() > 1)
    return Applicability::no("sends single packets in one piece only");
  return Applicability::yes();
}

// Rings, paths and very small factors are planned in a moment.
bool is_quick(const Problem& problem) {
  const std::vector<Topology>& factors = problem.topology().product()->factors;
  return std::all_of(factors.begin(), factors.end(), [](const Topology& factor) {
    return factor.num_nodes() <= 4 || as_path(factor) || (as_cycle(factor) && factor.num_nodes() % 2 == 0);
  });
}

Preparation prepared(const Problem& problem) {
  return Preparation::of(
      sharing(problem, stages, predicted, generate, is_quick(problem) ? Effort::kLittle : Effort::kMuch));
}

}  // namespace
}  // namespace allreduce_factors_parts

constinit const Algorithm allreduce_factors = {
    .name = "allreduce_factors",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "an allreduce in every line of the first factor, then of the second, and so on, each the shortest known",
    .source = "folklore for hypercubes; ours for products of anything",
    .remarks =
        "any product, any ports; for one block: as many steps as its factors together, on tori and meshes with all ports the diameter",
    .counts_alone = true,
    .applies = allreduce_factors_parts::applies,
    .prepare = allreduce_factors_parts::prepared,
};

}  // namespace quadrille::algorithms
