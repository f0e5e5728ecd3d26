// One-port broadcast as a formula: can one node's block reach all others within so many steps?
//
// In a step every node that has been informed may inform one neighbour. Variables say who is informed by
// when, and by whom each node is informed; clauses say that a node is informed by exactly one neighbour, who
// was informed before, and that nobody informs two at once. The formula has a solution exactly when such a
// broadcast exists.
//
//     const OnePortBroadcast in_four(parse_topology("torus(5,5)"), NodeId{0}, 4);
//     solve(in_four.formula()).unsatisfiable();      // so it takes at least five steps
//
// What looks alike is tried once. A reflection of a coordinate that fixes the source, or an exchange of two
// equal factors, makes a broadcast out of a broadcast; so among two links of the source that change places
// the second may be made to wait for the first (before(), the only assumption beyond the rules of the game).
// Every reflection is checked arc by arc before it is believed.
//
// All nodes are informed, routers too.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/search/formula.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class OnePortBroadcast {
 public:
  OnePortBroadcast(const Topology& topology, NodeId source, uint32_t steps);

  [[nodiscard]] const Formula& formula() const { return formula_; }
  /// Per node the arc over which it is informed; kNoArc for the source. Only for a solution.
  [[nodiscard]] std::vector<ArcId> informed_over(const SearchAnswer& solution) const;

 private:
  [[nodiscard]] int informed_by_end_of(NodeId node, uint32_t step) const;
  void add(std::initializer_list<int> clause);
  void everybody_is_informed_once();
  void nobody_informs_two_at_once(NodeId informer);
  void before(ArcId first, ArcId second);

  Topology topology_;
  NodeId source_;
  uint32_t steps_;
  Formula formula_;
  std::vector<uint32_t> distance_;
  std::vector<int> informed_;  // per node: its first variable, for the step of its distance
  std::vector<int> over_;      // per arc: its head is informed over it; 0 for arcs into the source
};

/// Steps that a broadcast with one port takes at least, as far as `conflicts` allow to tell, and how that is
/// known.
struct OnePortFloor {
  uint32_t steps = 0;
  /// Lemmas of the refutation of one step fewer, which has been checked; 0 where distance or doubling say it.
  uint64_t lemmas = 0;
};

/// Starts at what distance and doubling say, and goes up while a step fewer is refuted.
[[nodiscard]] OnePortFloor one_port_floor(const Topology& topology, NodeId source, uint32_t conflicts);

/// The larger of the distance to the farthest node and the doublings that it takes to inform all.
[[nodiscard]] uint32_t one_port_simple_floor(const Topology& topology, NodeId source);

/// Of nodes without links between them as many are informed in the last step as others know it before: so they are no more than half of
/// what doubling informs. A formula takes long to see that; for a search that would look for fewer steps in vain.
[[nodiscard]] uint32_t one_port_floor_of_nodes_apart(const Topology& topology);

}  // namespace quadrille
