// A ring of cliques: a network that no family names, of many links within its parts and few between them.
#pragma once

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Each clique is joined to the next from its last node to that one's first.
inline Topology ring_of_cliques(uint32_t cliques, uint32_t nodes) {
  TopologyBuilder builder("cliques in a ring", cliques * nodes);
  for (uint32_t c = 0; c < cliques; ++c) {
    for (uint32_t a = 0; a < nodes; ++a) {
      for (uint32_t b = a + 1; b < nodes; ++b) builder.link(NodeId{c * nodes + a}, NodeId{c * nodes + b});
    }
    builder.link(NodeId{c * nodes + nodes - 1}, NodeId{(c + 1) % cliques * nodes});
  }
  return builder.build();
}

}  // namespace quadrille
