// Thin cut: the blocks that must cross a cut, over the transfers that can cross it in one step, for cuts
// that a search has found.
//
// A network without a structure has thin places all the same: a bridge between two clusters, the few links
// that a fault has left. The search (search/thin_cuts.h) is told how many blocks cross a cut with
// so many endpoints on each side, and what it finds is a witness by itself. Where the structure is known the
// cuts that it suggests are the thin ones, and nothing is searched.
#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/cut_bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/search/thin_cuts.h"
#include "quadrille/topology/last_answers.h"

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

using Cuts = std::shared_ptr<const std::vector<Cut>>;

// Which cuts are looked at is decided as if all had as much for each other; what they prove is not.
CollectiveKind kind_of(const Problem& problem) {
  return problem.collective().counts() != nullptr ? CollectiveKind::kAlltoall : problem.collective().kind();
}

Cuts search_for_cuts(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  const std::optional<Rank> root = collective.root();
  const bool half_duplex = problem.model().duplex == Duplex::kHalf;
  const auto over = [](uint64_t blocks, uint64_t capacity) {
    return capacity == 0 ? 0.0 : static_cast<double>(blocks) / static_cast<double>(capacity);
  };
  CutSearch search;
  if (root) search.marked = topology.endpoint(*root);
  search.worth = [&](uint32_t inside, bool root_inside, const CutCapacity& across) {
    const uint64_t outside = topology.num_endpoints() - inside;
    const auto blocks = [&](uint64_t side, bool has_root) {
      return collective.counts() != nullptr ? inside * outside
                                            : blocks_leaving(problem, side, has_root) / collective.pieces();
    };
    const uint64_t leaving = blocks(inside, root_inside);
    const uint64_t entering = blocks(outside, root.has_value() && !root_inside);
    if (half_duplex) return over(leaving + entering, std::max(across.out, across.in));
    return std::max(over(leaving, across.out), over(entering, across.in));
  };
  std::vector<Cut> out;
  for_each_thin_cut(topology, search, [&](const Cut& cut) { out.push_back(cut); });
  return std::make_shared<const std::vector<Cut>>(std::move(out));
}

// Which cuts are thin does not depend on ports, nor on pieces, and lenders ask with all numbers of them.
Cuts cuts_of(const Problem& problem) {
  using Key = std::tuple<CollectiveKind, std::optional<Rank>, Duplex>;
  static LastAnswers<Key, Cuts> kept(12);
  return kept.of(problem.topology(), {kind_of(problem), problem.collective().root(), problem.model().duplex},
                 [&] { return search_for_cuts(problem); });
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.collective().num_ranks() < 2 || topology.num_arcs() > kMostArcs || has_known_cuts(topology))
    return std::nullopt;
  CutBound bound(problem, thin_cut.name);
  const Cuts cuts = cuts_of(problem);
  for (const Cut& cut : *cuts) bound.hold(cut);
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
