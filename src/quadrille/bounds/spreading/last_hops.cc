// Last hops: what some nodes must receive, over what all those together can send who lead to them.
//
// In a broadcast or an allgather every endpoint receives each piece once at least, from one of its neighbours. So whatever
// endpoints are looked at, those who lead to one of them send as many pieces as they all lack, and with few ports that may take
// longer than anybody takes to receive: leaves of hubs, clusters behind a few gates. Which endpoints say most is found by cuts
// of the network of who can send to whom, for ever larger ratios (Dinkelbach 1967). A reduce and a reduce_scatter are the same
// backwards: what each endpoint must send is received by its neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"

namespace quadrille::bounds {

extern const BoundCard last_hops;

namespace last_hops_parts {
namespace {

constexpr uint64_t kMostArcs = uint64_t{1} << 18U;
constexpr uint64_t kMostPieces = uint64_t{1} << 40U;  // received in all; beyond, products would not fit
constexpr uint64_t kMostSends = uint64_t{1} << 20U;   // of all nodes, in a step

// Who sends to whom, as a flow: so much from each sender, so much into each receiver, and any number in between.
class Deliveries {
 public:
  Deliveries(std::vector<std::vector<uint32_t>> receivers_of, std::vector<uint64_t> can_send,
             std::vector<uint64_t> wants)
      : nodes_(can_send.size()), to_(std::move(receivers_of)), from_(nodes_) {
    for (uint32_t u = 0; u < nodes_; ++u) {
      flow_.emplace_back(to_[u].size(), 0);
      for (uint32_t i = 0; i < to_[u].size(); ++i) from_[to_[u][i]].push_back({u, i});
    }
    left_ = std::move(can_send);
    lacking_ = std::move(wants);
  }

  // The receivers that cannot be served in full even together: none where all can be. Blocking flows of ever longer paths.
  [[nodiscard]] std::vector<char> starved() {
    while (search()) {
      next_to_.assign(nodes_, 0);
      next_from_.assign(nodes_, 0);
      for (uint32_t u = 0; u < nodes_; ++u)
        while (left_[u] > 0 && push_from(u, left_[u], true) > 0) {
        }
    }
    std::vector<char> out(nodes_, 0);
    for (uint32_t v = 0; v < nodes_; ++v) out[v] = lacking_[v] > 0 || level_in_[v] == kFar ? 1 : 0;
    return out;
  }

 private:
  struct Place {
    uint32_t sender;
    uint32_t number;  // among its receivers
  };
  static constexpr uint32_t kFar = UINT32_MAX;

  // Levels from senders that have some left; whether a receiver that lacks something was reached.
  bool search() {
    level_out_.assign(nodes_, kFar);
    level_in_.assign(nodes_, kFar);
    std::vector<uint32_t> senders;
    for (uint32_t u = 0; u < nodes_; ++u) {
      if (left_[u] == 0) continue;
      level_out_[u] = 0;
      senders.push_back(u);
    }
    bool is_any = false;
    for (uint32_t level = 1; !senders.empty(); level += 2) {
      std::vector<uint32_t> further;
      for (const uint32_t u : senders) {
        for (const uint32_t v : to_[u]) {
          if (level_in_[v] != kFar) continue;
          level_in_[v] = level;
          is_any = is_any || lacking_[v] > 0;
          for (const auto& [other, number] : from_[v]) {
            if (flow_[other][number] == 0 || level_out_[other] != kFar) continue;
            level_out_[other] = level + 1;
            further.push_back(other);
          }
        }
      }
      senders = std::move(further);
    }
    return is_any;
  }

  uint64_t push_from(uint32_t u, uint64_t most, bool is_first) {
    for (uint32_t& i = next_to_[u]; i < to_[u].size(); ++i) {
      const uint32_t v = to_[u][i];
      if (level_in_[v] != level_out_[u] + 1) continue;
      const uint64_t pushed = push_into(v, most);
      if (pushed == 0) continue;
      flow_[u][i] += pushed;
      if (is_first) left_[u] -= pushed;
      return pushed;
    }
    return 0;
  }
  uint64_t push_into(uint32_t v, uint64_t most) {
    if (lacking_[v] > 0) {
      const uint64_t taken = std::min(most, lacking_[v]);
      lacking_[v] -= taken;
      return taken;
    }
    for (uint32_t& i = next_from_[v]; i < from_[v].size(); ++i) {
      const auto [u, number] = from_[v][i];
      if (level_out_[u] != level_in_[v] + 1 || flow_[u][number] == 0) continue;
      const uint64_t pushed = push_from(u, std::min(most, flow_[u][number]), false);
      if (pushed == 0) continue;
      flow_[u][number] -= pushed;
      return pushed;
    }
    return 0;
  }

  size_t nodes_;
  std::vector<std::vector<uint32_t>> to_;
  std::vector<std::vector<Place>> from_;
  std::vector<std::vector<uint64_t>> flow_{};  // per sender, to each of its receivers
  std::vector<uint64_t> left_{};
  std::vector<uint64_t> lacking_{};
  std::vector<uint32_t> level_out_{};
  std::vector<uint32_t> level_in_{};
  std::vector<uint32_t> next_to_{};
  std::vector<uint32_t> next_from_{};
};

// The problem as pieces that go over last hops.
struct LastHops {
  LastHops(const Problem& problem, bool backwards)
      : receivers_of(problem.topology().num_nodes()),
        senders_to(problem.topology().num_nodes()),
        can_send(problem.topology().num_nodes()),
        wants(problem.topology().num_nodes(), 0) {
    const Topology& topology = problem.topology();
    const std::optional<Rank> root = problem.collective().root();
    const uint64_t pieces = problem.collective().pieces();
    for (const ArcId arc : topology.arcs()) {
      const auto tail = static_cast<uint32_t>(index(backwards ? topology.head(arc) : topology.tail(arc)));
      const auto head = static_cast<uint32_t>(index(backwards ? topology.tail(arc) : topology.head(arc)));
      senders_to[head].push_back(tail);
      if (topology.rank(NodeId{head})) receivers_of[tail].push_back(head);
    }
    const NodeCapacities capacities = node_capacities(topology);
    for (const NodeId v : topology.nodes())
      can_send[index(v)] = limited(backwards ? problem.model().receive : problem.model().send,
                                   (backwards ? capacities.in : capacities.out)[index(v)]);
    for (const NodeId v : topology.endpoints()) {
      if (root) {
        wants[index(v)] = topology.rank(v) == root ? 0 : pieces;
      } else {
        wants[index(v)] = pieces * (topology.num_endpoints() - 1);
      }
    }
  }

  std::vector<std::vector<uint32_t>> receivers_of;
  std::vector<std::vector<uint32_t>> senders_to;
  std::vector<uint64_t> can_send;
  std::vector<uint64_t> wants;
};

// Some receivers, and all who lead to them.
struct Set {
  std::vector<char> receives;
  std::vector<char> sends;
  uint64_t wants = 0;
  uint64_t can_send = 0;

  Set(const LastHops& hops, std::vector<char> receivers)
      : receives(std::move(receivers)), sends(receives.size(), 0) {
    for (size_t v = 0; v < receives.size(); ++v) {
      if (receives[v] == 0 || hops.wants[v] == 0) continue;
      wants += hops.wants[v];
      for (const uint32_t u : hops.senders_to[v]) sends[u] = 1;
    }
    for (size_t u = 0; u < sends.size(); ++u) can_send += sends[u] != 0 ? hops.can_send[u] : 0;
  }
};

// The receivers whose senders are busiest.
Set busiest(const LastHops& hops) {
  Set best(hops, std::vector<char>(hops.wants.size(), 1));
  for (;;) {
    const uint64_t common = std::gcd(best.wants, best.can_send);
    std::vector<uint64_t> sent;
    std::vector<uint64_t> wanted;
    for (const uint64_t a_step : hops.can_send) sent.push_back(a_step * (best.wants / common));
    for (const uint64_t wants : hops.wants) wanted.push_back(wants * (best.can_send / common));
    Set next(hops, Deliveries(hops.receivers_of, std::move(sent), std::move(wanted)).starved());
    if (next.can_send == 0 || next.wants * Int128{best.can_send} <= best.wants * Int128{next.can_send})
      return best;
    best = std::move(next);
  }
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const bool backwards = kind == CollectiveKind::kReduce || kind == CollectiveKind::kReduceScatter;
  if (!backwards && kind != CollectiveKind::kBroadcast && kind != CollectiveKind::kAllgather)
    return std::nullopt;
  const Ports ports = backwards ? problem.model().receive : problem.model().send;
  if (ports.unlimited() || !sends_single_packets(problem.model()) || problem.collective().num_ranks() < 2 ||
      topology.num_arcs() > kMostArcs)
    return std::nullopt;
  const LastHops hops(problem, backwards);
  const auto sum = [](const std::vector<uint64_t>& of) {
    return std::accumulate(of.begin(), of.end(), uint64_t{0});
  };
  if (sum(hops.wants) > kMostPieces || sum(hops.can_send) > kMostSends) return std::nullopt;
  const Set set = busiest(hops);
  if (set.can_send == 0) return std::nullopt;
  WeightsWitness witness;
  for (const NodeId v : topology.nodes())
    if (set.sends[index(v)] != 0) (backwards ? witness.receivers : witness.senders).push_back({v, 1});
  const auto number = static_cast<uint64_t>(std::ranges::count(set.sends, char{1}));
  return Bound{last_hops.name, Rational::of(set.wants, set.can_send),
               fmt::format("{} must {} {}, and these {} no more than {} a step", plural(set.wants, "piece"),
                           backwards ? "come from endpoints whose only way on is over"
                                     : "come to endpoints whose only way in is over",
                           plural(number, "node"), backwards ? "receive" : "send", set.can_send),
               BoundOn::kSteps, std::move(witness)};
}

}  // namespace
}  // namespace last_hops_parts

constinit const BoundCard last_hops = {
    .name = "last_hops",
    .summary = "what some endpoints must receive, over what all their neighbours together can send",
    .source = "counting, ours; ratios after Dinkelbach 1967",
    .in_proportion = true,
    .evaluate = last_hops_parts::evaluate,
};

}  // namespace quadrille::bounds
