// Urgent links: which links send in a step, where messages wait for them and nodes have few ports.
//
// The most urgent first. Then whoever could still send does, if another one can do without that receiver: of those who send to it one
// sends to another node instead, and so on along an augmenting path. So no choice that keeps the urgent ones lets more send.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class UrgentLinks {
 public:
  UrgentLinks(const Topology& topology, Ports send, Ports receive);

  /// How many messages each arc sends, no more than it has lanes. `by_urgency`: those for which any wait; `waiting(arc)`: how many.
  template <typename Waiting>
  [[nodiscard]] std::span<const uint32_t> choose(std::span<const ArcId> by_urgency, Waiting waiting) {
    most_.assign(net_.num_arcs(), 0);
    for (const ArcId arc : by_urgency)
      most_[index(arc)] = static_cast<uint32_t>(std::min<size_t>(net_.capacity(arc), waiting(arc)));
    return choose(by_urgency);
  }

 private:
  [[nodiscard]] std::span<const uint32_t> choose(std::span<const ArcId> by_urgency);
  [[nodiscard]] bool has_more(ArcId arc) const { return used_[index(arc)] < most_[index(arc)]; }
  [[nodiscard]] bool can_start(NodeId v) const {
    return send_.unlimited() || starts_[index(v)] < send_.count;
  }
  [[nodiscard]] bool can_end(NodeId v) const {
    return receive_.unlimited() || ends_[index(v)] < receive_.count;
  }
  [[nodiscard]] std::span<const ArcId> into(NodeId v) const {
    return std::span(into_).subspan(into_begin_[index(v)], into_begin_[index(v) + 1] - into_begin_[index(v)]);
  }
  void use(ArcId arc, int by);
  [[nodiscard]] bool makes_room(NodeId v);

  const Topology& net_;
  Ports send_;
  Ports receive_;
  std::vector<ArcId> into_;  // of all nodes, one after the other
  std::vector<size_t> into_begin_;
  // Of one step.
  std::vector<uint32_t> most_{};
  std::vector<uint32_t> used_{};    // per arc
  std::vector<uint32_t> starts_{};  // per node
  std::vector<uint32_t> ends_{};
  std::vector<char> asked_{};   // per node: for room
  std::vector<NodeId> seen_{};  // by one search
};

}  // namespace quadrille
