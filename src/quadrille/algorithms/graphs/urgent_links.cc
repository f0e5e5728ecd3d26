#include "quadrille/algorithms/graphs/urgent_links.h"

#include <utility>

#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {

UrgentLinks::UrgentLinks(const Topology& topology, Ports send, Ports receive)
    : net_(topology), send_(send), receive_(receive), into_begin_{0} {
  for (const std::vector<ArcId>& arcs : arcs_into(topology)) {
    into_.insert(into_.end(), arcs.begin(), arcs.end());
    into_begin_.push_back(into_.size());
  }
}

std::span<const uint32_t> UrgentLinks::choose(std::span<const ArcId> by_urgency) {
  used_.assign(net_.num_arcs(), 0);
  starts_.assign(net_.num_nodes(), 0);
  ends_.assign(net_.num_nodes(), 0);
  for (const ArcId arc : by_urgency)
    while (has_more(arc) && can_start(net_.tail(arc)) && can_end(net_.head(arc))) use(arc, 1);
  asked_.assign(net_.num_nodes(), 0);
  for (const ArcId arc : by_urgency) {
    while (has_more(arc) && can_start(net_.tail(arc))) {
      seen_.clear();
      // Whom a search in vain has asked has no room later, either: a path that got there would have ended there.
      if (!makes_room(net_.head(arc))) break;
      for (const NodeId v : seen_) asked_[index(v)] = 0;
      use(arc, 1);
    }
  }
  return used_;
}

void UrgentLinks::use(ArcId arc, int by) {
  used_[index(arc)] += static_cast<uint32_t>(by);
  starts_[index(net_.tail(arc))] += static_cast<uint32_t>(by);
  ends_[index(net_.head(arc))] += static_cast<uint32_t>(by);
}

// One of those who send to the node sends to another one instead.
bool UrgentLinks::makes_room(NodeId v) {
  if (can_end(v)) return true;
  if (std::exchange(asked_[index(v)], 1) != 0) return false;
  seen_.push_back(v);
  // To one with room, if there is any; else to one that makes room.
  for (const bool has_room : {true, false}) {
    for (const ArcId in : into(v)) {
      if (used_[index(in)] == 0) continue;
      for (const ArcId other : net_.arcs_from(net_.tail(in))) {
        if (other == in || !has_more(other)) continue;
        if (has_room ? !can_end(net_.head(other)) : !makes_room(net_.head(other))) continue;
        use(in, -1);
        use(other, 1);
        return true;
      }
    }
  }
  return false;
}

}  // namespace quadrille
