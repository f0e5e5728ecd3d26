// Slices of the whole: where a product was parted best before it lost links and nodes, it is thinnest where these lay.
//
// A healthy torus is as thick in one place as in another, so cuts of its structure are listed once; with faults the place
// matters: of torus(16,16,16) without a link the two planes that part it evenly, one of them through the dead link, are what
// limits an exchange. Sweeps over eigenvectors find such planes on a thousand nodes, and miss them on four thousand.
#pragma once

#include <functional>

#include "quadrille/topology/queries/cuts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Of a network that a fault has left of a product: for every dimension and number of coordinates in a row, the rows with the
/// least capacity out of them, and into them. Rows go round where the factor is a ring. Nothing for other networks.
void for_each_slice_of_whole(const Topology& topology, const std::function<void(const Cut&)>& visit);

}  // namespace quadrille
