// Allreduce of one block on a Cayley graph along a chain of subgroups: see cayley/coset_chain.h.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/coset_chain.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_cosets;

namespace allreduce_cosets_parts {
namespace {

Applicability applies(const Problem& problem) {
  const Topology& net = problem.topology();
  const CayleyStructure* cayley = net.cayley();
  if (cayley == nullptr || net.has_routers()) return Applicability::no("it is for Cayley graphs");
  if (net.product() != nullptr || cayley->generators.size() <= 2)
    return Applicability::no(
        "on rings and products, tori and hypercubes among them, others need no more steps");
  if (net.is_outline()) return Applicability::no("it looks at all elements of the group");
  if (!sends_single_packets(problem.model())) return Applicability::for_single_packets();
  if (problem.model().duplex == Duplex::kHalf) return Applicability::no("its links carry both ways at once");
  if (problem.collective().pieces() != 1)
    return Applicability::no("it is for one block; more pieces go by others");
  if (CosetChain::work(*cayley) <= CosetChain::kMostWork) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it looks at every element for every set of generators: of at most {} of these, and {} times in all",
      CosetChain::kMostClasses, with_thousands(CosetChain::kMostWork)));
}

CosetChain::Steps steps_of(const Problem& problem) {
  const Model& model = problem.model();
  const auto limited = [](Ports ports) { return ports.unlimited() ? UINT64_MAX : uint64_t{ports.count}; };
  return CosetChain::shortest(*problem.topology().cayley(),
                              std::min(limited(model.send), limited(model.receive)))
      .value_or(CosetChain::Steps{});
}

Prediction predicted(const Problem& /*problem*/, const CosetChain::Steps& steps) {
  if (steps.empty()) return {};
  return {.steps = steps.size(), .start_ups = steps.size()};
}

void generate(const Problem& problem, const CosetChain::Steps& steps, StepSink& sink) {
  const Topology& net = problem.topology();
  StepBuilder builder;
  const BlockId block{0};
  for (const std::vector<CosetChain::Move>& moves : steps) {
    for (const CosetChain::Move& move : moves) {
      for (const NodeId x : net.nodes()) {
        const ArcId arc = net.cayley()->arc(x, move.generator);
        builder.add({&arc, 1}, {&block, 1}, TransferOp::kDefault, move.slots);
      }
    }
    builder.flush(sink);
  }
}

Preparation prepare(const Problem& problem) {
  CosetChain::Steps steps = steps_of(problem);
  if (steps.empty() && problem.topology().num_nodes() > 1)
    return Preparation::no("a node would have to keep more sums apart than it can");
  return Preparation::of(kept(problem, std::move(steps), predicted, generate));
}

}  // namespace
}  // namespace allreduce_cosets_parts

constinit const Algorithm allreduce_cosets = {
    .name = "allreduce_cosets",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "sums over a chain of subgroups, each from one node of every coset of the one before, the same at all nodes",
    .source = "ours; chains of subgroups: Sims 1970",
    .remarks =
        "Cayley graphs of few generators, any ports, one block; on stars and pancakes of n symbols 2 n - 3 steps with "
        "all ports, which is nearly half of what one tree takes",
    .applies = allreduce_cosets_parts::applies,
    .prepare = allreduce_cosets_parts::prepare,
};

}  // namespace quadrille::algorithms
