#include "quadrille/algorithms/worm_exchange/few_centres.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/along_paths.h"
#include "quadrille/algorithms/worm_exchange/worm_gossip.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr size_t kMostCentres = 64;
constexpr size_t kMostOfFewPorts = 32;  // 64 save a step now and then (mesh(11,12)), and take longer

using Paths = BroadcastWorms;

Ports fewer(Ports a, Ports b) {
  if (a.unlimited()) return b;
  if (b.unlimited()) return a;
  return Ports{std::min(a.count, b.count)};
}

// Who knows after so many steps of the broadcast, but routers that tell nobody any more.
std::vector<NodeId> informed(const Topology& net, NodeId root, const Paths& broadcast, size_t steps) {
  std::vector<char> tells(net.num_nodes(), 0);
  for (const NodeId v : net.endpoints()) tells[index(v)] = 1;
  for (size_t s = steps; s < broadcast.size(); ++s) {
    for (const WormPath& worm : broadcast[s]) tells[index(net.tail(worm.front()))] = 1;
  }
  std::vector<NodeId> out{root};
  for (size_t s = 0; s < steps; ++s) {
    for (const WormPath& worm : broadcast[s]) out.push_back(net.head(worm.back()));
  }
  std::erase_if(out, [&](NodeId v) { return tells[index(v)] == 0; });
  std::ranges::sort(out);
  return out;
}

Problem among(const Problem& problem, const std::vector<NodeId>& centres) {
  const Topology& net = problem.topology();
  TopologyBuilder builder(net.name(), net.num_nodes());
  for (const ArcId arc : net.arcs()) builder.arc(net.tail(arc), net.head(arc), net.capacity(arc));
  builder.endpoints(centres);
  Model model;
  model.send = problem.model().send;
  model.receive = problem.model().receive;
  model.duplex = problem.model().duplex;
  model.switching = problem.model().switching;
  return standard_problem(builder.build(), CollectiveKind::kAllgather, model);
}

CentreGossip with_centres(const Problem& problem, NodeId root, const Paths& broadcast, size_t after) {
  const Topology& net = problem.topology();
  CentreGossip out{.centres = informed(net, root, broadcast, after)};
  for (size_t s = broadcast.size(); s-- > after;) {
    std::vector<GossipWorm>& step = out.in.emplace_back();
    for (const WormPath& worm : broadcast[s]) {
      WormPath back;
      for (size_t i = worm.size(); i-- > 0;) back.push_back(net.reverse(worm[i]));
      step.push_back({net.head(worm.back()), net.tail(worm.front()), std::move(back)});
    }
  }
  if (out.centres.size() > 1) {
    // The copy lists arcs in an order of its own.
    const Problem inner = among(problem, out.centres);
    for (const std::vector<GossipWorm>& worms : *gossip_along_paths(inner)) {
      std::vector<GossipWorm>& step = out.among.emplace_back();
      for (GossipWorm worm : worms) {
        for (ArcId& arc : worm.path)
          arc = *net.find_arc(inner.topology().tail(arc), inner.topology().head(arc));
        step.push_back(std::move(worm));
      }
    }
  }
  for (size_t s = after; s < broadcast.size(); ++s) {
    std::vector<GossipWorm>& step = out.out.emplace_back();
    for (const WormPath& worm : broadcast[s])
      step.push_back({net.tail(worm.front()), net.head(worm.back()), worm});
  }
  return out;
}

// The node from which the farthest endpoint is nearest, of these one of most links, of these one that is near to most.
NodeId middle(const Topology& net) {
  using Reach = std::tuple<uint32_t, int64_t, uint64_t>;
  NodeId best = net.endpoints().front();
  Reach least{UINT32_MAX, 0, 0};
  for (const NodeId v : net.nodes()) {
    const std::vector<uint32_t> hops = distances_from(net, v);
    uint32_t farthest = 0;
    uint64_t sum = 0;
    for (const NodeId w : net.endpoints()) {
      farthest = std::max(farthest, hops[index(w)]);
      sum += hops[index(w)];
    }
    const Reach reach{farthest, -int64_t{links_at_once(net, v, 0)}, sum};
    if (reach < least) std::tie(least, best) = std::pair(reach, v);
  }
  return best;
}

std::vector<CentreGossip> all_gossips(const Problem& problem) {
  const Topology& net = problem.topology();
  const Ports ports = fewer(problem.model().send, problem.model().receive);
  const size_t most = ports.unlimited() ? kMostCentres : kMostOfFewPorts;
  // With few ports any does, but for one that has fewer links than these.
  const bool is_in_the_middle = ports.unlimited() || (net.has_routers() && ports != kOnePort);
  const NodeId root = is_in_the_middle ? middle(net) : net.endpoints().front();
  const std::shared_ptr<const Paths> broadcast = broadcast_along_paths(net, root, ports, false);
  std::vector<CentreGossip> out;
  for (size_t after = 0; after <= broadcast->size(); ++after) {
    if (informed(net, root, *broadcast, after).size() > most) break;
    out.push_back(with_centres(problem, root, *broadcast, after));
  }
  std::ranges::stable_sort(out, {}, &CentreGossip::steps);
  return out;
}

}  // namespace

Applicability gossips_over_centres_apply(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  if (problem.model().queue_limit) return Applicability::no("it does not say how long its queues get");
  if (topology.is_directed()) return Applicability::no("it needs links that lead both ways");
  if (topology.num_endpoints() < 2) return Applicability::no("a single endpoint has nothing to exchange");
  if (topology.num_nodes() <= kMostAboutCentres) return Applicability::yes();
  return Applicability::no(
      fmt::format("it searches on up to {} nodes; {} has more", kMostAboutCentres, topology.name()));
}

uint64_t least_steps_over_centres(const Problem& problem) {
  const Topology& net = problem.topology();
  const Ports ports = fewer(problem.model().send, problem.model().receive);
  const uint64_t at_once = ports.unlimited() ? most_neighbours(net) : ports.count;
  const auto to_reach = [at_once](uint64_t many) {
    uint64_t steps = 0;
    for (uint64_t know = 1; know < many; know *= at_once + 1) ++steps;
    return steps;
  };
  // Each centre is told by its share of the others, and tells them; and it hears of all centres.
  uint64_t least = UINT64_MAX;
  for (uint64_t centres = 1; centres <= kMostCentres; ++centres)
    least = std::min(least, 2 * to_reach((net.num_endpoints() + centres - 1) / centres) + to_reach(centres));
  return least;
}

std::shared_ptr<const std::vector<CentreGossip>> gossips_over_centres(const Problem& problem) {
  using Key = std::tuple<Ports, Ports, Duplex, Switching>;
  static LastAnswers<Key, std::shared_ptr<const std::vector<CentreGossip>>> kept(8);
  const Model& model = problem.model();
  return kept.of(problem.topology(), {model.send, model.receive, model.duplex, model.switching},
                 [&] { return std::make_shared<const std::vector<CentreGossip>>(all_gossips(problem)); });
}

}  // namespace quadrille
