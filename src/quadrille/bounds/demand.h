// Demand: how many blocks must leave a node, enter it, or cross a cut, whatever the plan.
//
// In packet switching a transfer carries one block over one arc, so a number of blocks is a number of
// transfers. A worm carries any number of blocks, and none of this bounds its steps; but if so many worms can
// go at once, then all that go in one step carry no more than so many times the largest of them, and what is
// a bound on steps there is one on critical blocks here. The same holds where paths may share arcs, and a step
// costs as many rounds as its busiest arc carries blocks. Combined messages of a reduction count once: from
// all ranks on one side of a cut, one message for a block can be enough.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// What blocks over transfers a step are a bound on: steps, or critical blocks where a transfer takes a path.
[[nodiscard]] BoundOn counted_on(const Problem& problem);

/// Blocks that a rank, or some ranks together, must send and receive at least.
struct Demand {
  uint64_t send = 0;
  uint64_t receive = 0;
};
[[nodiscard]] Demand demand_of(const Problem& problem, Rank rank);

/// Blocks that must go from some ranks to the other ones at least. `inside` is how many there are, and
/// `has_root` whether the root of a rooted collective is one of them.
[[nodiscard]] uint64_t blocks_leaving(const Problem& problem, uint64_t inside, bool has_root);

/// Blocks of an alltoallv that must go from some endpoints to the others, and come from those. `is_inside` says of a
/// node whether it is one of them.
[[nodiscard]] Demand counted_across(const Problem& problem, const std::function<bool(NodeId)>& is_inside);

/// What the arcs of each node can carry in one step.
struct NodeCapacities {
  std::vector<uint64_t> out;   ///< of the arcs from each node
  std::vector<uint64_t> in;    ///< of the arcs into it
  std::vector<uint64_t> both;  ///< of its links, if each is used in one direction only
};
[[nodiscard]] NodeCapacities node_capacities(const Topology& topology);

/// The transfers that a node can start, or end, in one step: its ports or its arcs, whichever is less.
[[nodiscard]] uint64_t limited(Ports ports, uint64_t capacity);

/// The most messages that any node of a network can start, or end, in one step, where its arcs have this capacity at
/// most: where paths may share arcs there is no limit but its ports and the nodes that there are.
[[nodiscard]] uint64_t most_messages(const Problem& problem, uint64_t capacity, Ports ports);

/// The blocks that a node with arcs of this capacity can start, or end, in a step for each block of the
/// critical path that the step costs. As many as transfers; where these may share arcs, a message can fill the
/// widest arc there is.
class BlocksARound {
 public:
  explicit BlocksARound(const Problem& problem);
  [[nodiscard]] uint64_t operator()(Ports ports, uint64_t capacity) const;
  /// Of one message.
  [[nodiscard]] uint64_t of_a_message() const { return of_a_message_; }

 private:
  uint64_t of_a_message_ = 1;
};

}  // namespace quadrille
