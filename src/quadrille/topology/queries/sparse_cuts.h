// Sparse cuts: where a network of no known structure is thin.
//
// Nobody knows a quick way to the thinnest cut of any network, but every cut is a witness by itself, however
// it was found. So cuts come from several seeds: the bridges; sweeps over the nodes in an order, be it that of
// their numbers, of their distances from a corner, or of the eigenvectors of the Laplacian that vary least
// from node to node; and the best of these are improved by moving one node at a time, also where that is a
// step back at first (Fiduccia and Mattheyses 1982, with the ratio as the aim).
//
//     for_each_sparse_cut(net, worth, [&](const Cut& cut) { .. });
//
// What is worth having is for the caller to say. The search is bounded, and the same graph gives the same
// cuts.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "quadrille/topology/queries/cuts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// How much a cut is worth: endpoints on side 1, whether the marked node is one of that side, and the
/// capacities out of that side and into it. Larger is better.
using CutWorth = std::function<double(uint32_t inside, bool marked_inside, const CutCapacity& across)>;

struct CutSearch {
  CutWorth worth;
  NodeId marked = kNoNode;  ///< a node that matters, like the root of a broadcast
};

/// A few dozen cuts at most, each once or more often; none for a single node.
void for_each_sparse_cut(const Topology& topology, const CutSearch& search,
                         const std::function<void(const Cut&)>& visit);

/// The cut with this side, in words: the nodes of the smaller one.
[[nodiscard]] Cut cut_by_nodes(const Topology& topology, std::vector<char> side);

}  // namespace quadrille
