// Worm composition: a broadcast on a large torus from two on smaller ones.
//
// The simplest way takes some dimensions first and the others then, on all grids that they make at once:
//
//     T(A x B) <= T(A) + T(B)
//
// The other way takes blocks. Number the nodes of a torus with a b nodes in a dimension as blocks of b. The
// first nodes of all blocks are a torus with a nodes in that dimension: a broadcast there, with hops b times
// as long, informs all of them. Seen from all of them at once the torus looks like the small one with b
// nodes, repeated: a broadcast there informs everybody else.
//
//     T(a b) <= T(a) + T(b)
//
// If nobody sends at some coordinates of the small torus, other than 0, then the nodes at these coordinates
// can be left out in any of the blocks: the worms to them are dropped, worms that pass them get shorter. So
// between a (b - q) and a b nodes are served, q the number of such quiet coordinates. With the pattern of 2 x
// 2 nodes in one step, T(n, n) <= T(ceil(n/2), ceil(n/2)) + 1 for every n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_library.h"

namespace quadrille {

/// A broadcast on a small torus, as what is repeated all over a large one.
struct WormPattern {
  GridShape shape{};
  size_t steps = 0;
  bool paired = false;                         ///< sides of 2 have two links
  std::vector<std::vector<uint32_t>> quiet{};  ///< for each dimension the coordinates at which nobody sends
  std::function<WormPlan()> plan{};
};

[[nodiscard]] WormPattern pattern_of(const StoredBroadcast& entry);
/// All patterns of one step in one dimension or two, of so many, with at most so many worms of a place: two
/// and three nodes in a row, 2 x 2 with three worms.
[[nodiscard]] std::vector<WormPattern> one_step_patterns(size_t dimensions, uint32_t sends);

/// How many blocks there are in each dimension if a torus is composed with this pattern; nothing where it
/// cannot be. `paired`: the torus is one of blocks itself, its sides of 2 have two links.
[[nodiscard]] std::optional<std::vector<uint32_t>> blocks_of(const GridShape& torus, const WormPattern& inner,
                                                             bool paired);
/// The composed plan, without repeats. `outer` is a broadcast on the torus of the blocks. It may take the
/// long way round where blocks have different sizes: is_minimal tells.
[[nodiscard]] WormPlan compose(const GridShape& torus, const WormPlan& outer, const WormPattern& inner);

/// The grid of the dimensions before `cut`, and that of the others.
[[nodiscard]] std::pair<GridShape, GridShape> split_at(const GridShape& shape, size_t cut);
/// `first` in the dimensions before `cut`, at the given position in the others, then `second` in the others,
/// everywhere.
[[nodiscard]] WormPlan one_after_another(const GridShape& shape, size_t cut, const WormPlan& first,
                                         const WormPlan& second,
                                         const std::vector<uint32_t>& position_in_second);

}  // namespace quadrille
