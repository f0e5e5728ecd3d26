// There and back: in an allreduce what comes late to a node through which it has to go is late wherever it goes from there.
//
// Let h be a node, and take some of the parts into which the network falls without it. If h cannot have heard of all endpoints in them
// by the end of step r - 1, then of one of them, in part P, it hears in step r at the soonest, and all that is not in P can hear of that one through h
// alone: not before r plus what h needs to inform them. A node alone is such a part of itself, with r = 0: so an allreduce
// takes no less than a broadcast from any node.
//
// What a node needs to inform a part that hangs on it follows from what nodes of the part need for the parts that hang on them: a
// node that needs x steps for those must have heard x steps before the end, so as many as need x must have, and the furthest of them;
// and how many can is a matter of doubling. Several parts are begun one after the other, as many in a step as there are ports, and best the
// longest first. On trees that is exact: one port, all leaves of a star with n of them are heard after n steps, and the others told of the last
// after n - 1 more. Hearing is the same backwards.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/model/needless_ports.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille::bounds {

extern const BoundCard there_and_back;

namespace there_and_back_parts {
namespace {

constexpr uint64_t kMostSearched = uint64_t{1} << 24U;  // nodes, looked at from every part
constexpr uint64_t kMostArcs = uint64_t{1} << 22U;      // of the networks that are asked about a broadcast
constexpr size_t kMostAsked = 4;                        // hubs of which more is asked than that

constexpr int64_t kNothing = -1;  // there is nobody to inform

// How long it takes to inform the parts that hang on a node, begun longest first, as many in a step as there are ports.
int64_t one_after_another(std::vector<int64_t> parts, uint64_t ports) {
  std::ranges::sort(parts, std::greater<>());
  int64_t out = 0;
  for (size_t i = 0; i < parts.size() && parts[i] != kNothing; ++i)
    out = std::max(out, static_cast<int64_t>(i / ports) + parts[i]);
  return out;
}

// Steps to inform so many who hang on one node: it informs as many as it has ports, up to all its neighbours there, and
// everybody informed goes on doing so.
int64_t doubling(uint64_t many, uint64_t neighbours, uint64_t ports) {
  uint64_t informed = 0;
  int64_t steps = 0;
  while (informed < many) {
    const uint64_t begun = std::min(ports, neighbours);
    neighbours -= begun;
    informed = std::min(many, informed * (ports + 1) + begun);
    ++steps;
  }
  return steps;
}

// The parts that hang on every node that joins some, and how long it takes to inform each.
class HangingParts {
 public:
  HangingParts(const Topology& net, const Separations& around, uint64_t ports)
      : net_(net), around_(around), ports_(ports), parts_(net.num_nodes()), steps_(net.num_nodes()) {
    struct At {
      NodeId node;
      size_t part;
      uint64_t nodes;
    };
    std::vector<At> order;
    for (const NodeId v : net.nodes()) {
      std::vector<Separations::Part> parts = around.parts(v);
      if (parts.size() < 2) continue;
      parts_[index(v)] = std::move(parts);
      steps_[index(v)].assign(parts_[index(v)].size(), kNothing);
      for (size_t p = 0; p < parts_[index(v)].size(); ++p) {
        order.push_back({v, p, 0});
      }
      looked_ += parts_[index(v)].size() * net.num_nodes();
    }
    if (looked_ > kMostSearched) return;
    // What hangs on a node of a part is smaller.
    for (At& at : order) {
      at.nodes = 0;
      for (const NodeId w : net.nodes()) at.nodes += around.is_in(parts_[index(at.node)][at.part], w) ? 1 : 0;
    }
    std::ranges::stable_sort(order, {}, &At::nodes);
    for (const At& at : order) steps_[index(at.node)][at.part] = inform(at.node, at.part);
  }

  [[nodiscard]] bool is_known() const { return looked_ <= kMostSearched; }
  [[nodiscard]] const std::vector<Separations::Part>& of(NodeId v) const { return parts_[index(v)]; }
  [[nodiscard]] const std::vector<int64_t>& steps(NodeId v) const { return steps_[index(v)]; }
  /// Of all parts of a node but one.
  [[nodiscard]] int64_t without(NodeId v, size_t part) const {
    std::vector<int64_t> others = steps_[index(v)];
    others[part] = kNothing;
    return one_after_another(std::move(others), ports_);
  }

 private:
  int64_t inform(NodeId from, size_t which) {
    const Separations::Part& part = parts_[index(from)][which];
    const std::vector<uint32_t> hops = distances_from(net_, from);
    uint64_t neighbours = 0;
    for (const ArcId arc : net_.arcs_from(from)) neighbours += around_.is_in(part, net_.head(arc)) ? 1 : 0;
    std::vector<uint64_t> with;  // per need: how many have it
    int64_t out = kNothing;
    for (const NodeId v : net_.nodes()) {
      if (!around_.is_in(part, v)) continue;
      int64_t need = kNothing;
      const std::vector<Separations::Part>& behind = parts_[index(v)];
      for (size_t p = 0; p < behind.size(); ++p) {
        if (!around_.is_in(behind[p], from)) continue;
        if (std::ranges::any_of(behind, [&](const Separations::Part& other) {
              return &other != &behind[p] && other.endpoints > 0;
            }))
          need = without(v, p);
      }
      if (need == kNothing && net_.rank(v)) need = 0;
      if (need == kNothing) continue;
      out = std::max(out, need + int64_t{hops[index(v)]});
      if (with.size() <= static_cast<size_t>(need)) with.resize(static_cast<size_t>(need) + 1, 0);
      ++with[static_cast<size_t>(need)];
    }
    uint64_t many = 0;
    for (size_t need = with.size(); need-- > 0;) {
      if (with[need] == 0) continue;
      many += with[need];
      out = std::max(out, static_cast<int64_t>(need) + doubling(many, neighbours, ports_));
    }
    return out;
  }

  const Topology& net_;
  const Separations& around_;
  uint64_t ports_;
  std::vector<std::vector<Separations::Part>> parts_;  // per node
  std::vector<std::vector<int64_t>> steps_;            // per node and part
  uint64_t looked_ = 0;
};

struct Best {
  int64_t steps = 0;
  std::string witness{};

  void offer(int64_t other, const std::string& why) {
    if (other <= steps) return;
    steps = other;
    witness = why;
  }
};

uint64_t at_once(const Topology& net, Ports ports) {
  uint64_t most = 1;
  for (const NodeId v : net.nodes()) most = std::max<uint64_t>(most, net.out_degree(v));
  return limited(ports, most);
}

// What is late at a node, and how late it is elsewhere: parts by how long all others take, the longest first.
void hold(const Topology& net, NodeId hub, const HangingParts& in, const HangingParts& out, uint64_t receives,
          Best& best) {
  const std::vector<Separations::Part>& parts = out.of(hub);
  std::vector<std::pair<int64_t, size_t>> after;
  for (size_t p = 0; p < parts.size(); ++p) {
    // Where all endpoints are in one part, nobody needs what the hub may have heard of it.
    if (parts[p].endpoints > 0 && parts[p].endpoints < net.num_endpoints())
      after.emplace_back(out.without(hub, p), p);
  }
  std::ranges::stable_sort(after, std::greater<>(), &std::pair<int64_t, size_t>::first);
  std::vector<int64_t> heard;
  for (const auto& [steps, p] : after) {
    heard.push_back(in.steps(hub)[p]);
    const int64_t late = one_after_another(heard, receives);
    best.offer(
        late + steps,
        fmt::format(
            "without node {} the network falls into {}; it cannot have heard of all endpoints in {} of "
            "them before step {}, and then takes {} to inform those outside of the one that was last",
            net.label(hub), plural(parts.size(), "part"), heard.size(), late,
            plural(static_cast<uint64_t>(steps), "step")));
  }
}

// For a broadcast of one block on a part of a network, where nobody may have as many links as ports.
Model broadcasting(const Model& model, const Topology& net) {
  const uint64_t most = most_neighbours(net);
  Model out;
  out.send = without_needless_count(model.send, most);
  out.receive = without_needless_count(model.receive, most);
  return out;
}

// What is known in a moment of a broadcast of one block; what counts how much goes over links says little of that.
std::optional<Bound> bound_of(const Problem& broadcast) {
  std::vector<Bound> bounds;
  for (const BoundCard* card : bound_catalog()) {
    if (card->in_proportion || card->takes_long) continue;
    for (Bound& bound : bounds_of(*card, broadcast)) bounds.push_back(std::move(bound));
  }
  if (bounds.empty()) return std::nullopt;
  return best_of(bounds);
}

// The network without a leaf, with a broadcast from one node.
std::optional<Bound> broadcast_bound(const Problem& problem, NodeId root, NodeId but) {
  const Topology& net = problem.topology();
  std::vector<uint32_t> number(net.num_nodes(), 0);
  uint32_t count = 0;
  for (const NodeId v : net.nodes()) number[index(v)] = v == but ? 0 : count++;
  TopologyBuilder builder(net.name(), count);
  for (const ArcId arc : net.arcs()) {
    if (net.tail(arc) == but || net.head(arc) == but) continue;
    builder.arc(NodeId{number[index(net.tail(arc))]}, NodeId{number[index(net.head(arc))]},
                net.capacity(arc));
  }
  std::vector<NodeId> endpoints;
  for (const NodeId v : net.nodes()) {
    if (v != but && (net.rank(v) || v == root)) endpoints.push_back(NodeId{number[index(v)]});
  }
  if (endpoints.size() < 2) return std::nullopt;
  builder.endpoints(std::move(endpoints));
  const Topology without = builder.build();
  return bound_of(standard_problem(without, CollectiveKind::kBroadcast,
                                   broadcasting(problem.model(), without), NodeId{number[index(root)]}));
}

// Nodes that lead to hosts of one link each: after they have heard of their hosts the last of these is unknown to everybody else.
void ask_for_hosts(const Problem& problem, uint64_t receives, Best& best) {
  const Topology& net = problem.topology();
  struct Server {
    NodeId node;
    std::vector<NodeId> hosts;
  };
  std::vector<Server> servers;
  for (const NodeId v : net.nodes()) {
    Server server{v, {}};
    for (const ArcId arc : net.arcs_from(v)) {
      if (net.rank(net.head(arc)) && net.out_degree(net.head(arc)) == 1)
        server.hosts.push_back(net.head(arc));
    }
    if (server.hosts.size() > 1) servers.push_back(std::move(server));
  }
  std::ranges::stable_sort(servers, std::greater<>(),
                           [](const Server& server) { return server.hosts.size(); });
  if (servers.size() > kMostAsked) servers.resize(kMostAsked);
  for (const Server& server : servers) {
    const std::optional<Bound> bound = broadcast_bound(problem, server.node, server.hosts.back());
    if (!bound) continue;
    const uint64_t late = (server.hosts.size() - 1) / receives + 1;
    best.offer(
        static_cast<int64_t>(late) + bound->value.ceil(),
        fmt::format(
            "{} cannot have heard of all {} hosts before step {}, and then has to inform all others of "
            "the last, which takes {} by {}: {}",
            net.label(server.node), server.hosts.size(), late,
            plural(static_cast<uint64_t>(bound->value.ceil()), "step"), bound->name, bound->witness));
  }
}

// No sooner than a broadcast from those who have it furthest.
void ask_for_broadcasts(const Problem& problem, Best& best) {
  const Topology& net = problem.topology();
  std::vector<std::pair<uint32_t, NodeId>> roots;
  for (const NodeId v : net.endpoints()) {
    const std::vector<uint32_t> hops = distances_from(net, v);
    uint32_t most = 0;
    for (const NodeId w : net.endpoints()) most = std::max(most, hops[index(w)]);
    roots.emplace_back(most, v);
  }
  std::ranges::stable_sort(roots, std::greater<>(), &std::pair<uint32_t, NodeId>::first);
  if (roots.size() > kMostAsked) roots.resize(kMostAsked);
  for (const auto& [hops, root] : roots) {
    const std::optional<Bound> bound =
        bound_of(standard_problem(net, CollectiveKind::kBroadcast, broadcasting(problem.model(), net), root));
    if (!bound) continue;
    best.offer(bound->value.ceil(), fmt::format("no sooner than a broadcast from {}, by {}: {}",
                                                net.label(root), bound->name, bound->witness));
  }
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  if (problem.collective().kind() != CollectiveKind::kAllreduce || model.switching != Switching::kPacket ||
      problem.collective().num_ranks() < 2 || net.is_outline() || net.is_directed())
    return std::nullopt;
  const uint64_t sends = at_once(net, model.send);
  const uint64_t receives = at_once(net, model.receive);
  Best best;
  const Separations around(net);
  const HangingParts out(net, around, sends);
  if (out.is_known()) {
    const std::optional<HangingParts> in =
        sends == receives ? std::nullopt : std::optional<HangingParts>(std::in_place, net, around, receives);
    for (const NodeId v : net.nodes()) {
      if (!out.of(v).empty()) hold(net, v, in ? *in : out, out, receives, best);
    }
  }
  const bool has_few = sends < most_neighbours(net) || receives < most_neighbours(net);
  if (has_few && net.cayley() == nullptr && uint64_t{net.num_arcs()} * net.num_endpoints() <= kMostArcs) {
    ask_for_broadcasts(problem, best);
    ask_for_hosts(problem, receives, best);
  }
  if (best.steps == 0) return std::nullopt;
  return Bound{there_and_back.name, Rational(best.steps), best.witness, BoundOn::kSteps, {}};
}

}  // namespace
}  // namespace there_and_back_parts

constinit const BoundCard there_and_back = {
    .name = "there_and_back",
    .summary =
        "an allreduce: when a node can have heard of the last that it must pass on, and how long others then take",
    .source = "ours; broadcasts in trees: Slater, Cockayne and Hedetniemi 1981",
    .evaluate = there_and_back_parts::evaluate,
};

}  // namespace quadrille::bounds
