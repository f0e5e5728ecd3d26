#include "quadrille/algorithms/packing/link_use.h"

#include <algorithm>

namespace quadrille {
namespace {

uint64_t limit(Ports ports) { return ports.unlimited() ? UINT64_MAX : ports.count; }

}  // namespace

LinkUse::LinkUse(const Problem& problem)
    : topology_(problem.topology()),
      half_duplex_(problem.model().duplex == Duplex::kHalf),
      send_ports_(limit(problem.model().send)),
      receive_ports_(limit(problem.model().receive)),
      load_(topology_.num_arcs(), 0),
      sent_(topology_.num_nodes(), 0),
      received_(topology_.num_nodes(), 0) {}

bool LinkUse::take(std::span<const ArcId> path) {
  const NodeId from = topology_.tail(path.front());
  const NodeId to = topology_.head(path.back());
  if (!can_send(from) || !can_receive(to)) return false;
  if (!std::all_of(path.begin(), path.end(), [this](ArcId arc) { return is_free(arc); })) return false;
  for (const ArcId arc : path) {
    ++load_[index(arc)];
    taken_.push_back(arc);
  }
  ++sent_[index(from)];
  ++received_[index(to)];
  touched_.push_back(from);
  touched_.push_back(to);
  return true;
}

void LinkUse::next_step() {
  for (const ArcId arc : taken_) load_[index(arc)] = 0;
  for (const NodeId node : touched_) sent_[index(node)] = received_[index(node)] = 0;
  taken_.clear();
  touched_.clear();
}

}  // namespace quadrille
