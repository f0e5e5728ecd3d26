#include "quadrille/algorithms/graphs/urgent_links.h"

#include <utility>

#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {

UrgentLinks::UrgentLinks(const Topology& topology, Ports send, Ports receive)
    : net_(topology), send_(send), receive_(receive), into_(arcs_into(topology)) {}

std::span<const uint32_t> UrgentLinks::choose(std::span<const ArcId> by_urgency) {
  used_.assign(net_.num_arcs(), 0);
  starts_.assign(net_.num_nodes(), 0);
  ends_.assign(net_.num_nodes(), 0);
  for (const ArcId arc : by_urgency)
    while (has_more(arc) && can_start(net_.tail(arc)) && can_end(net_.head(arc))) use(arc, 1);
  for (const ArcId arc : by_urgency) {
    while (has_more(arc) && can_start(net_.tail(arc))) {
      asked_.assign(net_.num_nodes(), 0);
      if (!makes_room(net_.head(arc))) break;
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
  for (const ArcId in : into_[index(v)]) {
    if (used_[index(in)] == 0) continue;
    for (const ArcId other : net_.arcs_from(net_.tail(in))) {
      if (other == in || !has_more(other) || !makes_room(net_.head(other))) continue;
      use(in, -1);
      use(other, 1);
      return true;
    }
  }
  return false;
}

}  // namespace quadrille
