#include "quadrille/algorithms/graphs/exchange_conditions.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {

Applicability every_node_takes_part(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket)
    return Applicability::no("it is for packet switching: its blocks stop at every node");
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  if (problem.topology().has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", problem.topology().name()));
  }
  return Applicability::yes();
}

Applicability all_ports(const Problem& problem) {
  const Topology& topology = problem.topology();
  uint32_t degree = 0;
  for (const NodeId v : topology.nodes()) degree = std::max(degree, topology.out_degree(v));
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (ports.unlimited() || ports.count >= degree) continue;
    return Applicability::no(
        fmt::format("it uses all {} links of a node in one step; the model has {} port{}", degree,
                    ports.count, ports.count == 1 ? "" : "s"));
  }
  return Applicability::yes();
}

Applicability multiport_exchange(const Problem& problem) {
  const Applicability fits = every_node_takes_part(problem);
  return fits.applies ? all_ports(problem) : fits;
}

}  // namespace quadrille
