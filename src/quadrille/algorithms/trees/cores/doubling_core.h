// Doubling core: a broadcast that begins among 2^k nodes which are linked as the corners of a hypercube.
//
// Read backwards, what follows after the core adds up everything at its nodes; these exchange their sums dimension by dimension, as in
// recursive doubling; and then the broadcast goes on from all of them. So an allreduce takes 2 s + k steps where s are the steps
// after the core, k fewer than a reduce and a broadcast of one root that takes as long. A link is a core of two nodes, a square one of
// four, and there are many squares in most networks, random ones too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct CoreBroadcast {
  std::vector<NodeId> core;          ///< nodes i and j are neighbours where i and j differ in one bit
  std::vector<ArcId> informed_over;  ///< per node; kNoArc in the core, and for routers that lead to nobody
  std::vector<uint32_t> step;        ///< per node: when it is informed, from 1 on; 0 in the core
  uint32_t steps = 0;

  [[nodiscard]] uint32_t doublings() const;
  [[nodiscard]] uint32_t allreduce_steps() const { return 2 * steps + doublings(); }
};

/// The one with the shortest allreduce that is found, if it takes fewer steps than `before`. Every link must lead both ways; nodes have
/// so many ports.
[[nodiscard]] std::optional<CoreBroadcast> best_core_broadcast(const Topology& topology, uint32_t ports,
                                                               uint32_t before);

}  // namespace quadrille
