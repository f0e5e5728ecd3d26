// Symmetries about a root: trees that are turned images of each other are searched for once.
//
// On a square torus a quarter turn about the root makes four trees of one; on any torus, and on any Cayley graph
// of an abelian group, taking every element to its inverse makes pairs; on a hypercube the dimensions go round.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// An automorphism that fixes the root.
struct TreeSymmetry {
  std::vector<ArcId> image{};  ///< per arc
  uint32_t order = 1;          ///< after so many times every arc is where it was
};

/// Those that the structure of the network suggests, each checked arc by arc; the highest order first, the
/// identity last. Only those that move every arc of the root in cycles of that order.
[[nodiscard]] std::vector<TreeSymmetry> symmetries_about(const Topology& topology, NodeId root);

}  // namespace quadrille
