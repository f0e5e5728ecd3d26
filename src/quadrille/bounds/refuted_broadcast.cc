// Refuted broadcast: one port, and a formula that says "a step fewer is possible" and is contradictory.
//
// Small graphs are asked on the spot, with a limit on the effort, and the refutation is checked on the spot; for some tori it is
// kept (kept_refutations.h). A form that a stranger can check (search/plain_refutation.h) is found when a plan is written.
// Says nothing where distance or doubling say as much.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/kept/kept_refutations.h"
#include "quadrille/search/one_port_broadcast.h"
#include "quadrille/search/plain_refutation.h"

namespace quadrille::bounds {

extern const BoundCard refuted_broadcast;

namespace refuted_broadcast_parts {
namespace {

constexpr uint32_t kMostNodes = 64;
constexpr uint32_t kMostArcs = 384;
constexpr uint32_t kConflicts = 3000;
constexpr uint32_t kPlainConflicts = 10'000;        // for a refutation that goes with the plan
constexpr uint32_t kConflictsForAFile = 2'000'000;  // where it is known that there is one

// A cycle of at least three nodes: every node has two neighbours.
bool is_ring(const Topology& graph) {
  if (graph.is_directed() || graph.num_nodes() < 3) return false;
  for (const NodeId v : graph.nodes()) {
    if (graph.out_degree(v) != 2) return false;
  }
  return true;
}

// 3, 5, 7 for every product of rings of 3, 5 and 7 nodes; empty for others.
std::vector<uint32_t> sorted_torus(const Topology& topology) {
  std::vector<uint32_t> sides;
  if (topology.product() == nullptr) return {};
  for (const Topology& factor : topology.product()->factors) {
    if (!is_ring(factor)) return {};
    sides.push_back(factor.num_nodes());
  }
  std::sort(sides.begin(), sides.end());
  return sides;
}

// What is refuted is that one piece takes so many steps; of several the last one leaves the root so much later.
uint64_t head_start(const Problem& problem) { return problem.collective().pieces() - 1; }
std::string after_head_start(const Problem& problem) {
  if (head_start(problem) == 0) return "";
  return fmt::format("; the last piece leaves the root {} later", plural(head_start(problem), "step"));
}

bool applies(const Problem& problem) {
  return problem.collective().kind() == CollectiveKind::kBroadcast && problem.model().send == kOnePort &&
         problem.model().switching == Switching::kPacket && !problem.topology().has_routers();
}

bool is_small(const Topology& topology) {
  return topology.num_nodes() <= kMostNodes && topology.num_arcs() <= kMostArcs;
}

const KeptRefutation* kept_for(const Topology& topology) {
  const std::vector<uint32_t> torus = sorted_torus(topology);
  const auto all = kept_refutations();
  const auto found = std::ranges::find(all, torus, &KeptRefutation::sides);
  return found == all.end() ? nullptr : &*found;
}

std::optional<Bound> kept(const Problem& problem) {
  const KeptRefutation* const refutation = kept_for(problem.topology());
  if (refutation == nullptr) return std::nullopt;
  return Bound{
      refuted_broadcast.name, Rational(static_cast<int64_t>(refutation->steps + 1 + head_start(problem))),
      fmt::format("that {} steps suffice is refuted by {} lemmas, which are kept in "
                  "data/refutations/{} and checked by a test{}",
                  refutation->steps, refutation->lemmas, refutation->proof, after_head_start(problem))};
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (!applies(problem)) return std::nullopt;
  const Topology& topology = problem.topology();
  if (!is_small(topology)) return kept(problem);
  const OnePortFloor floor =
      one_port_floor(topology, topology.endpoint(*problem.collective().root()), kConflicts);
  if (floor.lemmas == 0) return std::nullopt;
  return Bound{refuted_broadcast.name, Rational(static_cast<int64_t>(floor.steps + head_start(problem))),
               fmt::format("that {} steps suffice is refuted by a proof that was checked{}", floor.steps - 1,
                           after_head_start(problem))};
}

std::optional<RefutationWitness> plain(const Problem& problem, uint32_t steps, uint32_t conflicts) {
  const Topology& topology = problem.topology();
  auto lemmas = plain_refutation(topology, topology.endpoint(*problem.collective().root()), steps, conflicts);
  if (!lemmas) return std::nullopt;
  return RefutationWitness{steps, *std::move(lemmas)};
}

}  // namespace
}  // namespace refuted_broadcast_parts

constinit const BoundCard refuted_broadcast = {
    .name = "refuted_broadcast",
    .summary = "one port: a solver, or a stored proof, shows that one step fewer is impossible",
    .source = "ours; the refutations are found by CaDiCaL and checked by ours",
    .takes_long = true,
    .evaluate = refuted_broadcast_parts::evaluate,
};

}  // namespace quadrille::bounds

namespace quadrille {

std::optional<RefutationWitness> refutation_in_a_moment(const Problem& problem) {
  namespace parts = bounds::refuted_broadcast_parts;
  const Topology& topology = problem.topology();
  if (!parts::applies(problem) || !parts::is_small(topology)) return std::nullopt;
  const OnePortFloor floor =
      one_port_floor(topology, topology.endpoint(*problem.collective().root()), parts::kConflicts);
  if (floor.lemmas == 0) return std::nullopt;
  return parts::plain(problem, floor.steps - 1, parts::kPlainConflicts);
}

std::optional<RefutationWitness> refutation_made_again(const Problem& problem) {
  namespace parts = bounds::refuted_broadcast_parts;
  if (!parts::applies(problem)) return std::nullopt;
  if (parts::is_small(problem.topology())) return refutation_in_a_moment(problem);
  const KeptRefutation* const kept = parts::kept_for(problem.topology());
  if (kept == nullptr) return std::nullopt;
  return parts::plain(problem, kept->steps, parts::kConflictsForAFile);
}

}  // namespace quadrille
