// Thin cut: the blocks that must cross a cut, over the transfers that can cross it in one step, for cuts
// that a search has found.
//
// A network without a structure has thin places all the same: a bridge between two clusters, the few links
// that a fault has left. The search (search/thin_cuts.h) is told how many blocks cross a cut with
// so many endpoints on each side, and what it finds is a witness by itself. Where the structure is known the
// cuts that it suggests are the thin ones, and nothing is searched.
#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/cut_bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/search/thin_cuts.h"

namespace quadrille::bounds {

extern const BoundCard thin_cut;

namespace thin_cut_parts {
namespace {

constexpr uint32_t kMostArcs = 1U << 18U;
constexpr uint32_t kMostInProducts = 512;

bool has_known_cuts(const Topology& topology) {
  if (topology.cayley() != nullptr || topology.tree() != nullptr) return true;
  return topology.product() != nullptr && topology.num_nodes() > kMostInProducts;
}

std::vector<Cut> search_for_cuts(const Problem& problem) {
  const Topology& topology = problem.topology();
  const std::optional<Rank> root = problem.collective().root();
  const bool half_duplex = problem.model().duplex == Duplex::kHalf;
  const auto over = [](uint64_t blocks, uint64_t capacity) {
    return capacity == 0 ? 0.0 : static_cast<double>(blocks) / static_cast<double>(capacity);
  };
  CutSearch search;
  if (root) search.marked = topology.endpoint(*root);
  // Which cuts are looked at is decided as if all had as much for each other; what they prove is not.
  const bool counted = problem.collective().counts() != nullptr;
  search.worth = [&](uint32_t inside, bool root_inside, const CutCapacity& across) {
    const uint64_t outside = topology.num_endpoints() - inside;
    const uint64_t leaving = counted ? inside * outside : blocks_leaving(problem, inside, root_inside);
    const uint64_t entering =
        counted ? leaving : blocks_leaving(problem, outside, root.has_value() && !root_inside);
    if (half_duplex) return over(leaving + entering, std::max(across.out, across.in));
    return std::max(over(leaving, across.out), over(entering, across.in));
  };
  std::vector<Cut> out;
  for_each_thin_cut(topology, search, [&](const Cut& cut) { out.push_back(cut); });
  return out;
}

// Which cuts are thin does not depend on ports, and lenders ask with all numbers of them: of small networks the cuts found
// last are kept.
std::vector<Cut> cuts_of(const Problem& problem) {
  constexpr uint32_t kMostNodesKept = 128;
  constexpr size_t kMostKept = 8;
  if (problem.topology().num_nodes() > kMostNodesKept) return search_for_cuts(problem);
  struct Kept {
    Problem problem;
    std::vector<Cut> cuts;
  };
  thread_local std::deque<Kept> kept;
  for (const Kept& known : kept) {
    if (known.problem.topology().is_copy_of(problem.topology()) &&
        known.problem.collective() == problem.collective() &&
        known.problem.model().duplex == problem.model().duplex)
      return known.cuts;
  }
  kept.push_front({problem, search_for_cuts(problem)});
  if (kept.size() > kMostKept) kept.pop_back();
  return kept.front().cuts;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.collective().num_ranks() < 2 || topology.num_arcs() > kMostArcs || has_known_cuts(topology))
    return std::nullopt;
  CutBound bound(problem, thin_cut.name);
  for (const Cut& cut : cuts_of(problem)) bound.hold(cut);
  return bound.take();
}

}  // namespace
}  // namespace thin_cut_parts

constinit const BoundCard thin_cut = {
    .name = "thin_cut",
    .summary =
        "blocks that must cross a cut, over what can cross it in a step, for the thinnest cuts that a search finds",
    .source =
        "counting; bridges, sweeps over eigenvectors, Fiduccia and Mattheyses's moves and maximum flows, ours",
    .in_proportion = true,
    .knows_counts = true,
    .evaluate = thin_cut_parts::evaluate,
};

}  // namespace quadrille::bounds
