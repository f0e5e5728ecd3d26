#include "quadrille/verify/witnesses/part_spread.h"

#include <algorithm>
#include <functional>

namespace quadrille {
namespace {

// In a tree, from the node that hears of it first.
uint32_t spread_from(const Problem& problem, NodeId first, NodeId middle) {
  const Topology& net = problem.topology();
  std::vector<NodeId> order{first};
  std::vector<NodeId> above{middle};
  std::vector<size_t> place_above{0};
  for (size_t i = 0; i < order.size(); ++i) {
    for (const ArcId arc : net.arcs_from(order[i])) {
      if (net.head(arc) == above[i]) continue;
      order.push_back(net.head(arc));
      above.push_back(order[i]);
      place_above.push_back(i);
    }
  }
  const Ports ports = problem.model().send;
  std::vector<std::vector<uint32_t>> below(order.size());  // steps of each subtree in which somebody wants it
  uint32_t most = 0;
  for (size_t i = order.size(); i-- > 0;) {
    std::ranges::sort(below[i], std::greater<>());
    most = 0;
    for (size_t place = 0; place < below[i].size(); ++place) {
      const size_t turn = ports.unlimited() ? 1 : place / ports.count + 1;
      most = std::max(most, below[i][place] + static_cast<uint32_t>(turn));
    }
    if (i > 0 && (net.rank(order[i]) || !below[i].empty())) below[place_above[i]].push_back(most);
  }
  return most;
}

}  // namespace

std::vector<uint32_t> spread_in_parts(const Problem& problem, NodeId middle,
                                      const std::vector<uint32_t>& part, uint32_t parts) {
  std::vector<uint32_t> out(parts, 0);
  const Topology& net = problem.topology();
  if (net.is_directed()) return out;
  std::vector<uint32_t> nodes(parts, 0);
  std::vector<uint64_t> arcs(parts, 0);
  std::vector<std::vector<NodeId>> entries(parts);
  for (const NodeId v : net.nodes())
    if (v != middle) ++nodes[part[index(v)]];
  for (const ArcId arc : net.arcs()) {
    const NodeId tail = net.tail(arc);
    const NodeId head = net.head(arc);
    if (tail == middle) {
      entries[part[index(head)]].push_back(head);
    } else if (head != middle) {
      ++arcs[part[index(head)]];
    }
  }
  for (uint32_t p = 0; p < parts; ++p) {
    // So many arcs, there and back, join so many nodes in one way only.
    if (entries[p].size() != 1 || arcs[p] != 2 * (uint64_t{nodes[p]} - 1)) continue;
    out[p] = spread_from(problem, entries[p].front(), middle);
  }
  return out;
}

}  // namespace quadrille
