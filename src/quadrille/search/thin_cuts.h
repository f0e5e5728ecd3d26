// Thin cuts: those that moves of single nodes find (topology/queries/sparse_cuts.h), and from the best of them on the thinnest ones near by.
//
// Of each side of a cut the nodes that are farthest from it stay; between these two cores a maximum flow tells over which cut least
// goes (Ford and Fulkerson 1956). What moves one node at a time ends before it wherever all ways there lead over thicker ones: on
// points of a plane, or a grid with holes, by up to a fifth.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "quadrille/topology/queries/cuts.h"
#include "quadrille/topology/queries/sparse_cuts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The shares of the nodes of both sides that stay, at least one each.
struct CutCores {
  double inside = 0.5;
  double outside = 0.5;
};
/// The cut between the cores over which least goes out of side 1; nothing where none is thinner than this one.
[[nodiscard]] std::optional<std::vector<char>> thinner_cut(const Topology& topology,
                                                           const std::vector<char>& side, CutCores cores);

/// Each cut of for_each_sparse_cut(), then those that are thinner and worth more. The same graph gives the same cuts.
void for_each_thin_cut(const Topology& topology, const CutSearch& search,
                       const std::function<void(const Cut&)>& visit);

}  // namespace quadrille
