// Outline: a product of graphs without its links, for figures alone.
//
// torus(512,512,512) has 805 million arcs, and torus(1024,1024,1024) more than can be numbered. What closed forms and
// bounds say of them follows from the factors; an outline has these, the number of nodes, labels, the group, and nothing
// that grows with them:
//
//     const Topology net = product_outline("torus(512,512,512)", {ring, ring, ring});
//     net.num_nodes();                 // 134,217,728
//     net.product()->factors[0];       // ring(512), with all its links
//     net.arcs_from(NodeId{0});        // OutlineError
//
// A plan needs links: nobody makes, judges or runs one on an outline.
#pragma once

#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// An outline was asked for what it has not. Whoever asks several (cards, bounds) takes it as the reason why one of them
/// says nothing.
class OutlineError : public InputError {
 public:
  using InputError::InputError;
};

/// Arcs from which on a network is outlined where figures alone are wanted and its family can.
inline constexpr uint64_t kMostArcsForFigures = uint64_t{1} << 26U;

/// G_1 x ... x G_d in outline; see cartesian_product(). Throws InputError when the nodes do not fit 32 bits, where
/// a factor has routers, and where one has bandwidths or latencies of its own.
[[nodiscard]] Topology product_outline(std::string name, const std::vector<Topology>& factors);

}  // namespace quadrille
