#include "quadrille/bounds/dissemination.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/rational.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/queries/product_distances.h"

namespace quadrille {
namespace {

// min(limit, a * b)
uint64_t times(uint64_t a, uint64_t b, uint64_t limit) {
  return static_cast<uint64_t>(std::min<UInt128>(UInt128{a} * b, limit));
}

}  // namespace

std::vector<uint64_t> Dissemination::beyond(const Topology& topology) const {
  if (topology.is_outline()) {
    std::vector<uint64_t> at = product_distances(topology, root, backwards).nodes_at;
    for (size_t d = at.size() - 1; d-- > 0;) at[d] += at[d + 1];
    return at;
  }
  uint32_t farthest = 0;
  for (const NodeId v : topology.endpoints()) farthest = std::max(farthest, hops[index(v)]);
  std::vector<uint64_t> out(size_t{farthest} + 1, 0);
  for (const NodeId v : topology.endpoints()) ++out[hops[index(v)]];
  for (size_t d = farthest; d-- > 0;) out[d] += out[d + 1];
  return out;
}

std::string Dissemination::head_start_text() const {
  if (head_start == 0) return "";
  return fmt::format(", after the {} step{} before the {} piece can {} the root", head_start,
                     head_start == 1 ? "" : "s", backwards ? "first complete" : "last",
                     backwards ? "be at" : "leave");
}

std::optional<Dissemination> as_dissemination(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const bool reduce = kind == CollectiveKind::kReduce;
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2 ||
      (kind != CollectiveKind::kBroadcast && !reduce)) {
    return std::nullopt;
  }
  Dissemination out;
  out.root = topology.endpoint(*problem.collective().root());
  out.backwards = reduce;
  out.ports = reduce ? problem.model().receive : problem.model().send;
  if (topology.is_outline()) {
    const NodeKind at_root = kind_of(topology, out.root);
    out.fan_out = limited(out.ports, most_neighbours(topology));
    out.head_start =
        (problem.collective().pieces() - 1) / limited(out.ports, reduce ? at_root.in : at_root.out);
    return out;
  }
  out.hops = reduce ? distances_to(topology, out.root) : distances_from(topology, out.root);
  std::vector<uint64_t> neighbours(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs())
    ++neighbours[index(reduce ? topology.head(arc) : topology.tail(arc))];
  out.fan_out = limited(out.ports, *std::max_element(neighbours.begin(), neighbours.end()));
  const NodeCapacities capacities = node_capacities(topology);
  const uint64_t at_root = limited(out.ports, (reduce ? capacities.in : capacities.out)[index(out.root)]);
  out.head_start = (problem.collective().pieces() - 1) / at_root;
  return out;
}

uint64_t informed_over_paths_of(uint64_t fan_out, uint64_t l, uint64_t t, uint64_t limit) {
  if (l > t) return 0;
  // C(t,l) as C(t,m) with the smaller m, factor by factor: every product is a binomial coefficient times i.
  const uint64_t m = std::min(l, t - l);
  UInt128 binomial = 1;
  for (uint64_t i = 1; i <= m && binomial < limit; ++i) binomial = binomial * (t - m + i) / i;
  auto out = static_cast<uint64_t>(std::min<UInt128>(binomial, limit));
  for (uint64_t i = 0; i < l && fan_out > 1 && out < limit; ++i) out = times(out, fan_out, limit);
  return out;
}

uint64_t informed_over_paths_from(uint64_t fan_out, uint64_t from, uint64_t t, uint64_t limit) {
  uint64_t sum = 0;
  for (uint64_t l = t + 1; l-- > from && sum < limit;) {
    sum = std::min(limit, sum + informed_over_paths_of(fan_out, l, t, limit - sum));
  }
  return sum;
}

}  // namespace quadrille
