// Complete trees: what the families tree and fat_tree share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// A complete tree as its spec gives it, leaves first: a node of level l has arity[l-1] children, and the
/// link below it has capacity[l-1].
struct CompleteTree {
  std::string spec;
  std::vector<uint64_t> arity;
  std::vector<uint64_t> capacity;
  bool routers = false;  ///< only the leaves are endpoints
};

[[nodiscard]] TopologyFacts complete_tree_facts(const CompleteTree& tree);
/// Errors about its size point at the call.
[[nodiscard]] Topology complete_tree_topology(const SpecCall& call, const CompleteTree& tree);

}  // namespace quadrille
