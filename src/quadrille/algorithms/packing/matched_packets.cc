#include "quadrille/algorithms/packing/matched_packets.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr uint64_t kWork = 10'000'000;  // hops of blocks, in all tries together
constexpr uint64_t kMostTries = 32;

enum class Prefer : uint8_t {
  kLongest,  // what has most hops left
  kPulled,   // what goes on to the node that has most to receive and least waiting for it
  kBusiest,  // what has the busiest node ahead
};

struct Rule {
  Prefer block = Prefer::kLongest;
  bool links_by_load =
      false;             // a sender tries the link first that has most to carry; else the busiest receiver
  int64_t patience = 2;  // of kPulled: what a waiting block counts
  uint64_t seed = 0;     // 0: ties by number
};

constexpr std::array kRules = {Rule{Prefer::kLongest, false, 0, 0}, Rule{Prefer::kPulled, false, 2, 0},
                               Rule{Prefer::kPulled, true, 2, 0},   Rule{Prefer::kBusiest, false, 0, 0},
                               Rule{Prefer::kLongest, true, 0, 0},  Rule{Prefer::kPulled, false, 8, 0},
                               Rule{Prefer::kPulled, true, 8, 0},   Rule{Prefer::kPulled, false, 30, 0}};

// One try.
class MatchedPackets {
 public:
  MatchedPackets(const Problem& problem, const SpreadRoutes& routes, const Rule& rule)
      : problem_(problem),
        net_(problem.topology()),
        rule_(rule),
        rng_(rule.seed),
        waiting_(net_.num_arcs()),
        to_carry_(net_.num_arcs(), 0),
        to_send_(net_.num_nodes(), 0),
        to_receive_(net_.num_nodes(), 0),
        wanted_(net_.num_nodes(), 0) {
    const uint32_t ranks = problem.collective().num_ranks();
    for (uint32_t s = 0; s < ranks; ++s) {
      for (uint32_t t = 0; t < ranks; ++t) {
        if (s == t) continue;
        for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece)
          add({routes.path(Rank{s}, Rank{t}), problem.collective().block(Rank{s}, Rank{t}, piece)});
      }
    }
  }

  // Nothing where it takes `limit` steps or more.
  std::optional<Plan> run(size_t limit) {
    Plan plan;
    StepBuilder step;
    while (left_ > 0) {
      // The busiest node still has so many steps before it.
      const uint64_t least = std::max(*std::max_element(to_send_.begin(), to_send_.end()),
                                      *std::max_element(to_receive_.begin(), to_receive_.end()));
      if (plan.num_steps() + least >= limit) return std::nullopt;
      match();
      moved_.clear();
      for (const NodeId u : net_.nodes()) {
        if (over_[index(u)] == kNoArc) continue;
        moved_.push_back(take(over_[index(u)]));
        step.add(over_[index(u)], moved_.back().block);
      }
      for (Packet& packet : moved_) arrive(packet);
      step.flush(plan);
    }
    return plan;
  }

 private:
  struct Packet {
    std::span<const ArcId> path;  // that is left
    BlockId block;
    uint64_t chance = 0;
  };

  [[nodiscard]] size_t tail(ArcId arc) const { return index(net_.tail(arc)); }
  [[nodiscard]] size_t head(ArcId arc) const { return index(net_.head(arc)); }

  void add(Packet packet) {
    if (rule_.seed != 0) packet.chance = rng_.below(1024);
    for (const ArcId arc : packet.path) {
      ++to_send_[tail(arc)];
      ++to_receive_[head(arc)];
      ++to_carry_[index(arc)];
    }
    ++left_;
    wait(packet);
  }
  void wait(const Packet& packet) {
    waiting_[index(packet.path.front())].push_back(packet);
    ++wanted_[head(packet.path.front())];
  }
  void arrive(Packet& packet) {
    packet.path = packet.path.subspan(1);
    if (packet.path.empty()) {
      --left_;
    } else {
      wait(packet);
    }
  }

  // --- which block ---------------------------------------------------------------------------------------

  [[nodiscard]] int64_t worth(const Packet& packet) const {
    const auto hops = static_cast<int64_t>(packet.path.size());
    if (hops == 1) return -(int64_t{1} << 40);  // it feeds nobody
    switch (rule_.block) {
      case Prefer::kLongest:
        return hops;
      case Prefer::kPulled: {
        const size_t next = head(packet.path[1]);
        return (static_cast<int64_t>(to_receive_[next]) -
                rule_.patience * static_cast<int64_t>(wanted_[next])) *
                   64 +
               hops;
      }
      case Prefer::kBusiest: {
        uint64_t busiest = 0;
        for (const ArcId arc : packet.path.subspan(1)) busiest = std::max(busiest, to_send_[tail(arc)]);
        return static_cast<int64_t>(busiest) * 64 + hops;
      }
    }
    return 0;
  }

  Packet take(ArcId arc) {
    std::vector<Packet>& queue = waiting_[index(arc)];
    size_t best = 0;
    int64_t most = std::numeric_limits<int64_t>::min();
    for (size_t i = 0; i < queue.size(); ++i) {
      const int64_t here = worth(queue[i]) * 1024 + static_cast<int64_t>(queue[i].chance);
      if (here < most || (here == most && queue[i].block >= queue[best].block)) continue;
      most = here;
      best = i;
    }
    const Packet out = queue[best];
    queue[best] = queue.back();
    queue.pop_back();
    --wanted_[head(arc)];
    --to_send_[tail(arc)];
    --to_receive_[head(arc)];
    --to_carry_[index(arc)];
    return out;
  }

  // --- who sends to whom ---------------------------------------------------------------------------------

  void match() {
    over_.assign(net_.num_nodes(), kNoArc);
    from_.assign(net_.num_nodes(), kNobody);
    links_.assign(net_.num_nodes(), {});
    into_.assign(net_.num_nodes(), {});
    for (const ArcId arc : net_.arcs()) {
      if (waiting_[index(arc)].empty()) continue;
      links_[tail(arc)].push_back(arc);
      into_[head(arc)].push_back(arc);
    }
    for (std::vector<ArcId>& links : links_) {
      std::stable_sort(links.begin(), links.end(), [&](ArcId a, ArcId b) {
        return rule_.links_by_load ? to_carry_[index(a)] > to_carry_[index(b)]
                                   : to_receive_[head(a)] > to_receive_[head(b)];
      });
    }
    for (const uint32_t u : busiest_first(to_send_)) {
      tried_.assign(net_.num_nodes(), 0);
      if (!links_[u].empty()) augment(u);
    }
    for (const uint32_t v : busiest_first(to_receive_)) {
      tried_.assign(net_.num_nodes(), 0);
      if (from_[v] == kNobody && !into_[v].empty()) displace(v, v);
    }
    if (problem_.model().duplex == Duplex::kHalf) let_one_way();
  }

  std::vector<uint32_t> busiest_first(const std::vector<uint64_t>& work) {
    std::vector<uint32_t> order;
    for (uint32_t v = 0; v < work.size(); ++v) {
      if (work[v] > 0) order.push_back(v);
    }
    if (rule_.seed != 0) rng_.shuffle(order);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return work[a] > work[b]; });
    return order;
  }

  void assign(ArcId arc) {
    over_[tail(arc)] = arc;
    from_[head(arc)] = static_cast<uint32_t>(tail(arc));
  }

  // A receiver for the sender, if others change theirs.
  bool augment(uint32_t sender) {
    for (const ArcId arc : links_[sender]) {
      const size_t v = head(arc);
      if (tried_[v] != 0) continue;
      tried_[v] = 1;
      if (from_[v] != kNobody && !augment(from_[v])) continue;
      assign(arc);
      return true;
    }
    return false;
  }

  // A sender for the receiver, who may come from a receiver with less to receive than `first`.
  bool displace(uint32_t receiver, uint32_t first) {
    for (const ArcId arc : into_[receiver]) {
      const size_t u = tail(arc);
      if (tried_[u] != 0) continue;
      tried_[u] = 1;
      if (over_[u] == kNoArc) {
        assign(arc);
        return true;
      }
      const auto other = static_cast<uint32_t>(head(over_[u]));
      if (other == receiver) continue;
      // That one goes without, or finds another sender.
      from_[other] = kNobody;
      const ArcId before = over_[u];
      over_[u] = arc;
      if (displace_on(other, first)) {
        from_[receiver] = static_cast<uint32_t>(u);
        return true;
      }
      over_[u] = before;
      from_[other] = static_cast<uint32_t>(u);
    }
    return false;
  }
  bool displace_on(uint32_t other, uint32_t first) {
    if (displace(other, first)) return true;
    return to_receive_[other] < to_receive_[first];
  }

  // Of two nodes that would send to each other the one with more to send does.
  void let_one_way() {
    for (const NodeId u : net_.nodes()) {
      const ArcId arc = over_[index(u)];
      if (arc == kNoArc) continue;
      const NodeId v = net_.head(arc);
      const ArcId back = over_[index(v)];
      if (back == kNoArc || net_.head(back) != u) continue;
      over_[to_send_[index(u)] < to_send_[index(v)] ? index(u) : index(v)] = kNoArc;
    }
  }

  const Problem& problem_;
  const Topology& net_;
  Rule rule_;
  Rng rng_;
  std::vector<std::vector<Packet>> waiting_;  // per arc
  std::vector<uint64_t> to_carry_;            // per arc: hops over it that are left
  std::vector<uint64_t> to_send_;             // per node
  std::vector<uint64_t> to_receive_;
  std::vector<uint64_t> wanted_;  // per node: blocks that wait for a link into it
  uint64_t left_ = 0;
  std::vector<Packet> moved_;
  std::vector<ArcId> over_;                // per node: the link that it sends over in this step
  std::vector<uint32_t> from_;             // per node: who sends to it
  std::vector<std::vector<ArcId>> links_;  // per node: links with something to carry
  std::vector<std::vector<ArcId>> into_;
  std::vector<char> tried_;
};

}  // namespace

Plan matched_packets(const Problem& problem, const SpreadRoutes& routes) {
  uint64_t hops = 1;
  const uint32_t ranks = problem.collective().num_ranks();
  for (uint32_t s = 0; s < ranks; ++s) {
    for (uint32_t t = 0; t < ranks; ++t) hops += routes.path(Rank{s}, Rank{t}).size();
  }
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t tries = std::clamp<uint64_t>(kWork / (hops * pieces * 8), 1, kMostTries);
  const uint64_t least = routes.busiest() * pieces;
  std::optional<Plan> best;
  for (uint64_t i = 0; i < tries; ++i) {
    Rule rule = kRules[i % kRules.size()];
    rule.seed = i / kRules.size();
    if (best && best->num_steps() <= least) break;
    std::optional<Plan> plan = MatchedPackets(problem, routes, rule).run(best ? best->num_steps() : SIZE_MAX);
    if (plan) best = std::move(plan);
  }
  return std::move(*best);
}

}  // namespace quadrille
