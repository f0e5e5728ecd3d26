#include "quadrille/algorithms/graphs/exchange_conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr const char* kNotMany =
    "it sends many blocks over a link in one step: it is for wormhole switching, or many packets";

}  // namespace

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
  const uint64_t degree = most_neighbours(problem.topology());
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

Applicability bundles_between_nodes(const Problem& problem) {
  if (!carries_many(problem.model())) {
    return Applicability::no(kNotMany);
  }
  if (shares_arcs(problem.model()) && has_wide_arcs(problem.topology()))
    return Applicability::no("it counts the blocks of a worm, not those that share a wide link");
  if (problem.topology().has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", problem.topology().name()));
  }
  return Applicability::yes();
}

Applicability on_shared_links(const Problem& problem) {
  if (problem.model().switching == Switching::kShared) return Applicability::yes();
  return Applicability::no("its messages cross each other's paths: it is for shared links");
}

Applicability bundles_between_partners(const Problem& problem) {
  if (Applicability fits = bundles_between_nodes(problem); !fits.applies) return fits;
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("partners talk both ways at once; the links are half duplex");
  if (problem.topology().num_nodes() < 2) return Applicability::no("a single node has nobody to talk to");
  return Applicability::yes();
}

Applicability bundles_over_all_links(const Problem& problem) {
  const Applicability fits = bundles_between_nodes(problem);
  return fits.applies ? bundles_on_all_links(problem) : fits;
}

Applicability bundles_as_switched(const Problem& problem) {
  return problem.model().switching == Switching::kPacket ? bundles_on_all_links(problem)
                                                         : bundles_over_all_links(problem);
}

Applicability bundles_on_all_links(const Problem& problem) {
  if (!carries_many(problem.model())) return Applicability::no(kNotMany);
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  const Topology& topology = problem.topology();
  const uint64_t links = std::max(most_links_out(topology), most_links_in(topology));
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (ports.unlimited() || ports.count >= links) continue;
    return Applicability::no(
        fmt::format("it uses all {} links of a node in one step; the model has {} port{}", links, ports.count,
                    ports.count == 1 ? "" : "s"));
  }
  return Applicability::yes();
}

}  // namespace quadrille
