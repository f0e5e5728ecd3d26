#include "quadrille/algorithms/worm_exchange/gossip_hosts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "quadrille/base/rational.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

uint64_t limit(Ports ports) { return ports.unlimited() ? UINT32_MAX : ports.count; }

// One informs so many others in a step, and each of these at most `others`.
size_t steps_to_all(uint64_t all, uint64_t one, uint64_t others) {
  size_t steps = 0;
  for (uint64_t reached = 1; reached < all; reached += one + (reached - 1) * others) ++steps;
  return steps;
}

}  // namespace

GossipSteps gossip_from_hosts(const Problem& problem) {
  const Topology& topology = problem.topology();
  GossipSteps out;
  std::vector<uint64_t> heard_by(topology.num_nodes(), 0);
  for (const NodeId host : topology.endpoints()) {
    const auto arcs = topology.arcs_from(host);
    if (arcs.size() != 1 || topology.rank(topology.head(arcs[0]))) return {};
    if (topology.reverse(arcs[0]) == kNoArc) return {};
    const NodeId at = topology.head(arcs[0]);
    const size_t step = heard_by[index(at)]++ / limit(problem.model().receive);
    if (out.size() <= step) out.resize(step + 1);
    out[step].push_back({host, at, {arcs[0]}});
  }
  return out;
}

GossipSteps gossip_to_hosts(const Problem& problem, const GossipSteps& from_hosts) {
  const Topology& topology = problem.topology();
  GossipSteps out;
  std::vector<uint64_t> told_by(topology.num_nodes(), 0);
  for (const std::vector<GossipWorm>& step : from_hosts) {
    for (const GossipWorm& worm : step) {
      const size_t at = told_by[index(worm.to)]++ / limit(problem.model().send);
      if (out.size() <= at) out.resize(at + 1);
      out[at].push_back({worm.to, worm.from, {topology.reverse(worm.path[0])}});
    }
  }
  return out;
}

size_t least_gossip_steps(const Problem& problem) {
  const std::span<const NodeId> endpoints = problem.topology().endpoints();
  return least_gossip_steps(problem, {endpoints.begin(), endpoints.end()});
}

// Nobody can inform more than so many others in a step, and whoever is told hops away needs their links: in T steps
// worms of all links together make up for the distances of no more than T (k+1)^(T-1) pairs a link.
size_t least_gossip_steps(const Problem& problem, std::vector<NodeId> places) {
  const Topology& topology = problem.topology();
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  UInt128 hops = 0;
  for (const NodeId u : places) {
    const std::vector<uint32_t> from_u = distances_from(topology, u);
    for (const NodeId v : places) hops += from_u[index(v)];
  }
  const auto is_left_out = [&](NodeId v) {
    return topology.rank(v) && !std::binary_search(places.begin(), places.end(), v);
  };
  UInt128 links = 0;
  uint64_t most_out = 0;
  uint64_t most_in = 0;
  std::vector<uint64_t> in(topology.num_nodes(), 0);
  std::vector<uint64_t> out(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    if (is_left_out(topology.tail(arc)) || is_left_out(topology.head(arc))) continue;
    links += topology.capacity(arc);
    most_out = std::max(most_out, out[index(topology.tail(arc))] += topology.capacity(arc));
    most_in = std::max(most_in, in[index(topology.head(arc))] += topology.capacity(arc));
  }
  most_out = std::min(most_out, limit(problem.model().send));
  most_in = std::min(most_in, limit(problem.model().receive));
  const uint64_t growth = 1 + std::min(most_out, most_in);
  size_t steps = 0;
  for (UInt128 reached = 1; reached < places.size() || links * reached / growth * steps < hops;
       reached *= growth)
    ++steps;
  // An endpoint of few links, a host, does less than others do.
  for (const NodeId v : places) {
    steps = std::max(steps, steps_to_all(places.size(), std::min(out[index(v)], most_out), most_out));
    steps = std::max(steps, steps_to_all(places.size(), std::min(in[index(v)], most_in), most_in));
  }
  return steps;
}

}  // namespace quadrille
