// Random regular graphs: every node has the same number of links, and nothing else is arranged.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/families/switched/switch_network.h"
#include "quadrille/topology/spec_parser.h"

namespace quadrille {

/// Links of a connected simple graph in which each of `nodes` nodes has `degree` links, by pairing ends at random and
/// then exchanging the ends of pairs that are loops or doubled; drawn again while it falls apart. The same seed, the
/// same links. nodes * degree is even and 2 <= degree < nodes, or it is one node or one link.
[[nodiscard]] std::vector<SwitchLink> random_regular_links(uint64_t nodes, uint64_t degree, uint64_t seed);

/// Reads "number of nodes, links of a node" out of a spec's first section and throws where no such graph is connected.
struct RegularGraph {
  uint64_t nodes = 0;
  uint64_t degree = 0;
};
[[nodiscard]] RegularGraph read_regular_graph(const SpecCall& call);
/// The number after the semicolon; 1 without one.
[[nodiscard]] uint64_t read_seed(const SpecCall& call);

}  // namespace quadrille
