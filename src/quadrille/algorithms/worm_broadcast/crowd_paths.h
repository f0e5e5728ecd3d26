// Crowd paths: worms of one step of a broadcast, from a crowd of nodes that know to others, along paths that share no arc.
//
// Whom a crowd can tell at once is a question of flows: one more node can be told if the flow from the crowd to all who are told has
// one more unit, along links that are free or back along paths that then take another way. Nobody who could be told is lost
// for it, so that whoever matters most is simply asked first (those who can be told at once are a gammoid: Perfect 1968).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// A worm from a node that knows to one that does not.
using WormPath = std::vector<ArcId>;
/// Those of every step.
using BroadcastWorms = std::vector<std::vector<WormPath>>;

/// The links by which a node can send at once: all, or as many as it has ports (0: any number).
[[nodiscard]] uint32_t links_at_once(const Topology& topology, NodeId node, uint32_t ports);

class CrowdPaths {
 public:
  /// `shared`: any number of paths over an arc. `work` counts arcs looked at.
  CrowdPaths(const Topology& topology, bool shared, uint64_t& work);

  void clear();
  void let_know(NodeId node) { knows_[index(node)] = 1; }
  [[nodiscard]] bool sends(NodeId node) const { return sent_[index(node)] != 0; }

  /// One who sends nothing is told by one of `crowd` who knows, if a path can be found to it.
  bool tell(NodeId node, const std::vector<NodeId>& crowd, uint32_t ports);
  /// Whether the last search, which found nothing, came by there; whoever it did not come by cannot be told any more.
  [[nodiscard]] bool was_seen(NodeId node) const { return came_[index(node)].seen; }

  /// What flows, taken apart into paths; nothing flows both ways over a link.
  [[nodiscard]] std::vector<WormPath> worms(const std::vector<NodeId>& crowd);

 private:
  struct Hop {
    ArcId arc = kNoArc;
    bool back = false;  // against what flows
    bool seen = false;
  };

  void spread(NodeId node);
  void reach(NodeId node, ArcId arc, bool back);
  [[nodiscard]] WormPath follow(NodeId from);
  void cut_loop(WormPath& path, NodeId at) const;

  const Topology& topology_;
  bool shared_;
  uint64_t& work_;
  std::vector<uint32_t> into_begin_{};
  std::vector<ArcId> into_{};
  std::vector<int> used_{};       // per arc
  std::vector<uint32_t> sent_{};  // per node
  std::vector<char> knows_{};
  std::vector<char> told_{};
  std::vector<Hop> came_{};
  std::vector<NodeId> queue_{};
};

}  // namespace quadrille
