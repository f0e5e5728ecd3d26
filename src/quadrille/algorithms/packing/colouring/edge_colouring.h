// Edge colouring of bipartite multigraphs: with as many colours as the largest degree, no two edges of one
// colour at one vertex (Koenig's theorem).
//
//     // Jobs on the left, machines on the right; an edge is a unit of work, its colour the time slot.
//     const std::vector<BipartiteEdge> work = {{0, 0}, {0, 1}, {1, 0}, {2, 1}};
//     const std::vector<uint32_t> slot = edge_colouring(3, 2, work);    // two slots
//
// Method: vertices of small degree are merged and the graph is made regular. An even degree is halved along
// Euler walks; an odd one first loses a perfect matching, which halving finds too: every edge is multiplied
// until the degree is a power of two, with a few false edges to fill up, and of two halves the one with fewer
// false edges is kept (Alon 2003). After halving, only one half is coloured by recursion; the other gets some
// of its colours until its degree is a power of two and is then halved to the end (Gabow, Kariv 1982). For E
// edges that takes O(E log E) time, O(E) memory. Large graphs are coloured edge by edge, by exchanging the colours of
// paths, which may take longer, but hardly ever does: a tenth of the time on graphs of many colours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

struct BipartiteEdge {
  uint32_t left;
  uint32_t right;
};

/// The largest degree of a vertex.
[[nodiscard]] uint32_t max_degree(uint32_t num_left, uint32_t num_right,
                                  std::span<const BipartiteEdge> edges);

/// A colour 0 .. max_degree-1 for every edge. Parallel edges are welcome. Deterministic.
[[nodiscard]] std::vector<uint32_t> edge_colouring(uint32_t num_left, uint32_t num_right,
                                                   std::span<const BipartiteEdge> edges);

}  // namespace quadrille
