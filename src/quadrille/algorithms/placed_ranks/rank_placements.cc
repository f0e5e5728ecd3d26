#include "quadrille/algorithms/placed_ranks/rank_placements.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "quadrille/algorithms/graphs/ring_order.h"
#include "quadrille/algorithms/placed_ranks/rank_sides.h"

namespace quadrille {
namespace {

Placement identity(uint32_t ranks) {
  Placement out(ranks);
  for (uint32_t i = 0; i < ranks; ++i) out[i] = Rank{i};
  return out;
}

// Along sides that are powers of two, ranks whose numbers differ in one bit lie as near as can be: on a ring of four they
// are neighbours. Nothing where that is the order of the numbers.
std::optional<Placement> gray_order(const Problem& problem) {
  const std::vector<uint32_t> sides = sides_of(problem.topology());
  const bool fits =
      std::all_of(sides.begin(), sides.end(), [](uint32_t side) { return std::has_single_bit(side); });
  if (!fits || problem.topology().has_routers() || *std::max_element(sides.begin(), sides.end()) < 4)
    return std::nullopt;
  Placement out;
  for (uint32_t rank = 0; rank < problem.collective().num_ranks(); ++rank) {
    uint32_t node = 0;
    uint32_t stride = problem.collective().num_ranks();
    for (const uint32_t side : sides) {
      stride /= side;
      uint32_t place = 0;
      for (uint32_t code = rank / stride % side; code > 0; code /= 2) place ^= code;
      node += place * stride;
    }
    out.push_back(Rank{node});
  }
  return out;
}

// Single packets between neighbours, where a ring is looked for anyway (allgather_ring, reduce_scatter_ring).
bool asks_for_rings(const Problem& problem) {
  const CollectiveKind kind = problem.collective().kind();
  return !takes_paths(problem.model()) && !problem.topology().is_outline() &&
         (kind == CollectiveKind::kAllgather || kind == CollectiveKind::kReduceScatter);
}

// The same order with the root in front: where all nodes look alike, seen from there; else turned round.
void put_first(Placement& order, Rank root, const Topology& topology) {
  if (order.front() == root) return;
  if (const CayleyStructure* cayley = topology.cayley(); cayley != nullptr && !topology.has_routers()) {
    const Group& group = *cayley->group;
    const uint32_t shift = group.multiply(static_cast<uint32_t>(index(root)),
                                          group.inverse(static_cast<uint32_t>(index(order.front()))));
    for (Rank& rank : order) rank = Rank{group.multiply(shift, static_cast<uint32_t>(index(rank)))};
    return;
  }
  std::rotate(order.begin(), std::find(order.begin(), order.end(), root), order.end());
}

}  // namespace

std::vector<Placement> placements(const Problem& problem, bool by_number) {
  const Topology& topology = problem.topology();
  const uint32_t ranks = problem.collective().num_ranks();
  std::vector<Placement> out{identity(ranks)};
  if (by_number) return out;
  const bool ordered = problem.model().combining == Operator::kOrdered;
  if (std::optional<Placement> gray = gray_order(problem); gray && ranks <= kMostRanksTried && !ordered)
    out.push_back(*std::move(gray));
  const bool are_few = ranks <= kMostRanksTried;
  if (!topology.has_routers() && (are_few || asks_for_rings(problem)) && !ordered) {
    std::optional<std::vector<NodeId>> walk = ring_order(topology);
    if (!walk && are_few) walk = path_order(topology);
    if (walk) {
      Placement& snake = out.emplace_back();
      for (const NodeId v : *walk) snake.push_back(*topology.rank(v));
    }
  }
  if (const std::optional<Rank> root = problem.collective().root())
    for (Placement& order : out) put_first(order, *root, topology);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace quadrille
