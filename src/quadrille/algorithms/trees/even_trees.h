// Even trees: spanning trees that together use all links alike, or all ports where these are few.
//
// They are grown one after the other along links that are cheap; a link costs the more the more trees it is in, and each tree is pulled
// out and grown anew a few times (fractional packings of spanning trees, after Nash-Williams and Tutte 1961).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Out of its root; only what leads to an endpoint is in it.
struct EvenTree {
  NodeId root{};
  std::vector<ArcId> arc;     // per node: from its parent
  std::vector<NodeId> order;  // parents first
  std::vector<uint32_t> depth;
  std::vector<uint32_t> height;
  std::vector<uint32_t> children;  // per node: how many
};

/// What a link in as many trees as it should be costs.
inline constexpr uint64_t kDepthPriceUnit = 1'048'576;

/// So many trees, in such an order that every beginning of the row loads links and ports alike. Each link of capacity 1 should be in
/// `per_link` of them; each hop from the root costs `price_of_depth`. Undirected; the ports are those of the allreduce's model.
[[nodiscard]] std::vector<EvenTree> even_trees(const Problem& allreduce, uint32_t trees, double per_link,
                                               uint64_t price_of_depth);

}  // namespace quadrille
