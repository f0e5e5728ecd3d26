// Folded Clos networks: hosts at the bottom, levels of switches above, every subtree with as many tops as its level says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// An extended generalised fat tree XGFT(h; m1..mh; w1..wh) (Ohring, Ibel, Das, Kumar 1995): a node of level l has
/// children[l-1] children on level l-1, a node of level l-1 has parents[l-1] parents on level l, and a link between them
/// has capacity[l-1].
struct FoldedClos {
  std::string spec;
  std::vector<uint64_t> children;
  std::vector<uint64_t> parents;
  std::vector<uint64_t> capacity;
};

[[nodiscard]] TopologyFacts folded_clos_facts(const FoldedClos& clos);
/// Errors about its size point at the call.
[[nodiscard]] Topology folded_clos_topology(const SpecCall& call, const FoldedClos& clos);

}  // namespace quadrille
