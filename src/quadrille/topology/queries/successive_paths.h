// Successive paths: what can flow from one node to another step after step, and the cut that says no more can.
//
// Blocks that follow each other over a path of l arcs arrive from step l on, one in each step: T steps bring
// T - l + 1 of them. Over several paths that share no channel these add up; and the most that can arrive in T
// steps, over any paths, is what the paths of a flow of least total length bring (Ford and Fulkerson 1958).
// That flow is found path by path, each the shortest that is left where flow may also be taken back, so that
// their lengths rise.
//
//     SuccessivePaths flow(net, root, /*backwards=*/false);
//     flow.quickest(far, 16);      // steps that 16 blocks take to `far`
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class SuccessivePaths {
 public:
  /// From `root`; backwards: to it, over the links turned round.
  SuccessivePaths(const Topology& topology, NodeId root, bool backwards);

  /// The fewest steps in which `blocks` can flow to a node. Looks no further once it is known that these are
  /// `enough` or fewer, and returns a number of that kind.
  [[nodiscard]] uint64_t quickest(NodeId node, uint64_t blocks, uint64_t enough = 0);

  /// Paths without a common channel to a node, counted up to `most`.
  [[nodiscard]] uint64_t disjoint(NodeId node, uint64_t most);

  struct Length {
    uint64_t hops = 0;
    uint64_t capacity = 0;
  };
  /// Of the paths that the last call found, rising.
  [[nodiscard]] const std::vector<Length>& lengths() const { return lengths_; }
  /// After a call that was not cut short, and answered T: times of a cut (TimesWitness) that less than the blocks
  /// cross until the node, whose time is T, has what arrives in T - 1 steps.
  [[nodiscard]] std::vector<uint32_t> times();

  /// Per node: hops from the root.
  [[nodiscard]] const std::vector<uint32_t>& hops() const { return hops_; }
  /// Arcs looked at so far.
  [[nodiscard]] uint64_t work() const { return work_; }

 private:
  struct Way {
    uint32_t to;
    uint32_t arc;
    bool back;  // takes back flow of the arc
  };

  [[nodiscard]] uint64_t left(const Way& way) const {
    return way.back ? flow_[way.arc] : capacity_[way.arc] - flow_[way.arc];
  }
  void start(NodeId node);
  [[nodiscard]] uint64_t search(uint32_t target, uint64_t limit);
  uint64_t add_path(uint32_t target, uint64_t most);

  uint32_t root_;
  std::vector<uint32_t> begin_;  // per node, and one more: its ways
  std::vector<Way> ways_;
  std::vector<uint64_t> capacity_;  // per arc
  std::vector<uint32_t> hops_;
  uint64_t work_ = 0;

  // Of one call.
  uint32_t target_ = 0;
  uint64_t steps_ = 0;
  std::vector<uint64_t> flow_;      // per arc
  std::vector<uint32_t> used_;      // arcs with flow, to be cleared
  std::vector<int64_t> potential_;  // per node: no way with room left is longer than their difference
  std::vector<int64_t> distance_;   // by reduced lengths; -1 unknown
  std::vector<uint32_t> reached_;
  std::vector<std::pair<uint32_t, uint32_t>> parent_;  // per node: from where, over which way
  std::vector<std::vector<uint32_t>> buckets_;
  std::vector<Length> lengths_;
};

/// What so many blocks take that must all flow to every endpoint, and which is the last.
struct QuickestFlow {
  uint64_t steps = 0;
  NodeId node = kNoNode;
};
/// Nodes that look alike from the root take as long as each other, so that one of them is asked; and on large
/// networks no more of them than some effort allows, the farthest first: then others may take longer.
[[nodiscard]] QuickestFlow quickest_to_all(const Topology& topology, NodeId root, bool backwards,
                                           uint64_t blocks);

}  // namespace quadrille
