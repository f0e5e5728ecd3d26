// Joint trees: what several groups do at once, each block along a tree of its own, all of them laid out together.
//
//     JointTrees trees(net, problems);
//     const GroupBound bound = trees.bound();      // no plans of all take fewer steps
//     const auto plans = trees.plans(14, least);   // (*plans)[i] is for problems[i], in less than 14 steps that all of them count alike
//
// A block that is copied goes down a tree from its origin to those of its group, a sum comes up one, an allreduce's up and then
// down another, and what is for one rank has a tree of one way. Links and ports have prices by what goes over them in
// all trees (packing/swarms/block_forest.h), and one timetable serves them all (forest_times.h): where ranks of a group lie apart it is
// the relays between them that count, and who takes what it can get, step by step, sends needless copies there.
//
// The bound is what these trees cost at least (tree_length.h) at any prices of links and ports, over what all of these earn in a
// step. Of an allreduce somebody is first to have all of a block: a tree came there from the whole group, and the others hear of it, each
// at least once, later.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/swarms/block_forest.h"
#include "quadrille/algorithms/packing/swarms/forest_times.h"
#include "quadrille/compile/groups/group_bound.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class JointTrees {
 public:
  /// `problems` are those of the groups, on the nodes and arcs of `net`, which must outlive it.
  JointTrees(const Topology& net, std::span<const Problem> problems);

  /// Nothing, or a bound of nothing, where packets go by several, links carry one way at a time, or what comes has an order; or
  /// where the work would take minutes.
  [[nodiscard]] std::optional<std::vector<Plan>> plans(size_t fewer_than, uint64_t least);
  [[nodiscard]] GroupBound bound();

 private:
  // Whose tree it is.
  struct JointBlock {
    uint32_t group;
    BlockId block;
    bool comes_down = false;  // the whole of an allreduce, whose sums came up the tree before
  };

  struct Sends {
    std::vector<TreeSend> sends{};
    std::vector<uint32_t> tree_of{};  // of every send
  };

  [[nodiscard]] bool are_planned() const;
  void add_group(uint32_t g);
  void add(const JointBlock& block, const WantedTree& tree);
  [[nodiscard]] uint64_t work() const { return task_.trees.size() * uint64_t{net_.num_arcs()}; }
  const BlockForest& forest();
  [[nodiscard]] Sends sends_along(const BlockForest& forest) const;
  [[nodiscard]] std::vector<Plan> in_steps(const Sends& sends, const ForestTimes& times) const;

  const Topology& net_;
  std::span<const Problem> problems_;
  std::map<std::pair<uint32_t, NodeId>, std::vector<char>> masks_{};  // of a group, and of one of its ranks
  std::vector<JointBlock> blocks_{};                                  // of every tree
  ForestTask task_;
  std::optional<BlockForest> forest_{};  // of no haste
};

}  // namespace quadrille
