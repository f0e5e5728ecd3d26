#include "quadrille/bounds/exchanges/price_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "quadrille/base/search_limits.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/bounds/exchanges/starved_ends.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace {

constexpr uint64_t kWork = 50'000'000;  // arcs and nodes looked at, in all searches of all rounds together
constexpr uint64_t kWorkOnLarge =
    1'000'000'000;  // on networks without a structure, which mostly have no other bound as good
constexpr uint64_t kWorkOfHosts =
    250'000'000;  // where links of hosts and links of switches are to be weighed against each other
constexpr uint64_t kMostRounds = 300;
constexpr uint64_t kMostRoundsOfStarved = 1000;
constexpr uint64_t kMostRoundsOfLarge = 100;
constexpr uint64_t kFewestRounds = 12;
// Where the bound rose as much in the last third of the rounds: rounds that go on then, at a time and by work.
constexpr double kRising = 1.004;
constexpr uint32_t kFewestNodesOfRising = 48;  // of fewer three hundred rounds say nearly all
constexpr uint64_t kRoundsOfRising = 100;
constexpr uint64_t kWorkOfRising = 250'000'000;
// Prices that have not risen by then mostly rise later, if at all, and slowly: of networks with faults that are products without
// them, which have cuts that say more, none of some twenty came to as much as the cut.
constexpr uint64_t kRoundsToRise = 12;
constexpr uint32_t kFewestNodesOfOther = 129;
constexpr double kStep = 1.2;
constexpr double kSmallStep = 0.3;
constexpr double kLargestWeight = 10'000;
// The gaps that are looked at, and how much busier what is above one is at least.
constexpr size_t kGaps = 3;
constexpr double kNarrowGap = 0.05;
constexpr double kNoWeight = -1e9;  // its logarithm
// Up to so many nodes the nearest one is found by looking at all.
constexpr uint32_t kNodesLookedThrough = 24;
// Of larger networks two threads search, each from a half of the nodes, on however many cores; on smaller ones a round takes no longer
// than it takes to call them.
constexpr uint32_t kMostNodesOfOneLane = 128;
// A hop counts a little, so that paths of no price are short; more nodes than this have no rounds.
constexpr uint64_t kHop = 1U << 20U;

// Something that a step has so much of.
struct Resource {
  uint64_t in_a_step = 0;
  double busy = 0;    // smoothed over the rounds, per step of 1
  uint32_t idle = 0;  // first and last steps in which no block can be here
  double log_weight = 0;
  uint32_t weight = 0;
};

class PriceSearch {
 public:
  PriceSearch(const Problem& problem, bool are_ends_starved, const Rational& other)
      : other_(other / Rational(are_ends_starved ? 1 : problem.collective().pieces())),
        topology_(problem.topology()),
        model_(problem.model()),
        counts_(problem.collective().counts()),
        pieces_(are_ends_starved ? problem.collective().pieces() : 1),
        into_(arcs_into(problem.topology())),
        lanes_(problem.topology().num_nodes() > kMostNodesOfOneLane ? 2 : 1),
        team_(static_cast<unsigned>(lanes_.size())) {
    const NodeCapacities can = node_capacities(topology_);
    of_arc_.assign(topology_.num_arcs(), kNone);
    of_sender_.assign(topology_.num_nodes(), kNone);
    of_receiver_.assign(topology_.num_nodes(), kNone);
    const auto ports_bind = [](Ports ports, uint64_t capacity) {
      return !ports.unlimited() && ports.count < capacity;
    };
    for (const NodeId v : topology_.nodes()) {
      if (ports_bind(model_.send, can.out[index(v)])) of_sender_[index(v)] = add(model_.send.count);
      if (ports_bind(model_.receive, can.in[index(v)])) of_receiver_[index(v)] = add(model_.receive.count);
    }
    // A link that could not be used more often than the port before or after it needs no weight of its own.
    for (const ArcId arc : topology_.arcs()) {
      const auto no_less = [&](uint32_t port) {
        return port != kNone && resources_[port].in_a_step <= topology_.capacity(arc);
      };
      if (model_.duplex == Duplex::kFull && (no_less(of_sender_[index(topology_.tail(arc))]) ||
                                             no_less(of_receiver_[index(topology_.head(arc))])))
        continue;
      const ArcId back = topology_.reverse(arc);
      if (model_.duplex == Duplex::kHalf && back != kNoArc && back < arc) {
        Resource& both = resources_[of_arc_[index(back)]];
        both.in_a_step = std::max<uint64_t>(both.in_a_step, topology_.capacity(arc));
        of_arc_[index(arc)] = of_arc_[index(back)];
      } else {
        of_arc_[index(arc)] = add(topology_.capacity(arc));
      }
    }
    find_homes();
    if (are_ends_starved) {
      starved_.emplace(topology_);
      find_idle();
    }
  }

  void run() {
    const uint64_t hosts = hosts_.size();
    const uint64_t nodes = topology_.num_nodes() - hosts;
    const uint64_t a_round = homes_.size() * (topology_.num_arcs() - 2 * hosts + 4 * nodes) + 1;
    uint64_t rounds = hosts == 0
                          ? std::min(kMostRounds, kWork / a_round)
                          : std::min(starved_ ? kMostRoundsOfStarved : kMostRounds, kWorkOfHosts / a_round);
    const bool has_other_bounds =
        counts_ == nullptr && (topology_.product() != nullptr || topology_.tree() != nullptr);
    if (!has_other_bounds && !starved_)
      rounds = std::max(rounds, std::min(kMostRoundsOfLarge, kWorkOnLarge / a_round));
    if (rounds < kFewestRounds || resources_.empty()) return;
    weigh_alike();
    if (weigh_busy_ones()) return;
    weigh_alike();
    if (improve(rounds, kStep) || starved_ || has_other_bounds ||
        topology_.num_nodes() < kFewestNodesOfRising)
      return;
    // What still rises goes on from the best weights, in smaller steps.
    uint64_t left = kWorkOfRising / a_round;
    while (left > 0 && is_rising_) {
      const uint64_t next = std::min(left, kRoundsOfRising);
      left -= next;
      for (size_t r = 0; r < resources_.size(); ++r)
        resources_[r].log_weight = std::log(std::max(0.1, static_cast<double>(best_[r])));
      if (improve(next, kSmallStep)) return;
    }
  }

  [[nodiscard]] const Rational& value() const { return value_; }
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }

  [[nodiscard]] WeightsWitness witness() const {
    WeightsWitness out;
    for (const ArcId arc : topology_.arcs()) {
      const uint32_t weight = best_of(of_arc_[index(arc)]);
      if (weight > 0) out.links.push_back({topology_.tail(arc), topology_.head(arc), weight});
    }
    for (const NodeId v : topology_.nodes()) {
      if (const uint32_t weight = best_of(of_sender_[index(v)])) out.senders.push_back({v, weight});
      if (const uint32_t weight = best_of(of_receiver_[index(v)])) out.receivers.push_back({v, weight});
    }
    return out;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  void weigh_alike() {
    for (Resource& resource : resources_)
      resource.log_weight = -std::log(static_cast<double>(resource.in_a_step));
  }

  // What is busiest when all weigh the same is weighed alone, down to each of the widest gaps (of two sides of a network, the smaller).
  // Whether no weights prove more.
  bool weigh_busy_ones() {
    shares_ = true;  // so that what is alike is as busy
    set_weights();
    offer();
    const auto busy = [&](size_t r) { return load_[r] / static_cast<double>(resources_[r].in_a_step); };
    std::vector<double> from_busiest;
    for (size_t r = 0; r < resources_.size(); ++r) from_busiest.push_back(busy(r));
    std::ranges::sort(from_busiest, std::greater<>());
    std::vector<std::pair<double, double>> gaps;  // how wide, and where
    for (size_t i = 1; i < from_busiest.size(); ++i)
      gaps.emplace_back(from_busiest[i - 1] / std::max(from_busiest[i], 1e-9) - 1, from_busiest[i]);
    std::ranges::sort(gaps, std::greater<>());
    if (gaps.size() > kGaps) gaps.resize(kGaps);
    const std::vector<double> used = load_;
    const auto proves_most = [&] {
      double busiest = 0;
      for (size_t r = 0; r < resources_.size(); ++r)
        busiest = std::max(busiest, busy(r) * static_cast<double>(pieces_) + resources_[r].idle);
      return busiest <= value_.to_double() + 1e-9;
    };
    bool is_best = proves_most();  // where all links look alike
    for (const auto& [wide, above] : gaps) {
      if (wide < kNarrowGap) break;
      for (size_t r = 0; r < resources_.size(); ++r) {
        const auto in_a_step = static_cast<double>(resources_[r].in_a_step);
        resources_[r].log_weight = used[r] / in_a_step > above ? -std::log(in_a_step) : kNoWeight;
      }
      set_weights();
      offer();
      is_best = is_best || proves_most();
    }
    shares_ = false;
    return is_best;
  }

  // Rounds of prices; whether no weights prove more, or no more are asked for. (`is_rising_`: whether those of the last ones proved more than those before.)
  bool improve(uint64_t rounds, double largest_step) {
    Rational before{0};
    for (uint64_t round = 0; round < rounds; ++round) {
      if (round == rounds - rounds / 3) before = value_;
      is_stopped_ = is_stopped_ || searches_are_stopped();
      if (is_stopped_) return true;
      set_weights();
      const double value = offer();
      // No weights prove more than the busiest resource is busy when the blocks are spread like this (or little more, where routers
      // are short of blocks).
      double busiest = 0;
      for (size_t r = 0; r < resources_.size(); ++r) {
        const double now = load_[r] / static_cast<double>(resources_[r].in_a_step);
        resources_[r].busy = round == 0 ? now : 0.9 * resources_[r].busy + 0.1 * now;
        busiest = std::max(busiest, resources_[r].busy * static_cast<double>(pieces_) + resources_[r].idle);
      }
      if (round == 0) first_ = value_;
      if (round == kRoundsToRise && topology_.num_nodes() >= kFewestNodesOfOther && value_ == first_ &&
          value_ < other_)
        return true;
      if (std::ceil(busiest - 1e-6) <= static_cast<double>(value_.ceil())) return true;
      const double step = largest_step / std::sqrt(1.0 + static_cast<double>(round));
      for (Resource& resource : resources_) {
        const double idle = resource.idle / static_cast<double>(pieces_);
        resource.log_weight += step * std::clamp((resource.busy + idle) / value - 1.0, -2.0, 2.0);
      }
    }
    is_rising_ = value_.to_double() > before.to_double() * kRising;
    return false;
  }

  uint32_t add(uint64_t in_a_step) {
    resources_.push_back({in_a_step});
    return static_cast<uint32_t>(resources_.size() - 1);
  }
  [[nodiscard]] uint32_t best_of(uint32_t resource) const { return resource == kNone ? 0 : best_[resource]; }

  void set_weights() {
    double most = resources_.front().log_weight;
    for (const Resource& resource : resources_) most = std::max(most, resource.log_weight);
    for (Resource& resource : resources_)
      resource.weight =
          static_cast<uint32_t>(std::lround(kLargestWeight * std::exp(resource.log_weight - most)));
  }

  // How far it is from where blocks start, and to where they end.
  void find_idle() {
    const auto hops_from_ends = [&](bool backwards) {
      std::vector<uint32_t> hops(topology_.num_nodes(), UINT32_MAX);
      std::vector<std::vector<NodeId>> next(topology_.num_nodes());
      for (const ArcId arc : topology_.arcs()) {
        const NodeId tail = topology_.tail(arc);
        const NodeId head = topology_.head(arc);
        next[index(backwards ? head : tail)].push_back(backwards ? tail : head);
      }
      std::vector<NodeId> reached(topology_.endpoints().begin(), topology_.endpoints().end());
      for (const NodeId e : reached) hops[index(e)] = 0;
      for (size_t i = 0; i < reached.size(); ++i) {
        for (const NodeId w : next[index(reached[i])]) {
          if (hops[index(w)] != UINT32_MAX) continue;
          hops[index(w)] = hops[index(reached[i])] + 1;
          reached.push_back(w);
        }
      }
      return hops;
    };
    const std::vector<uint32_t> before = hops_from_ends(false);
    const std::vector<uint32_t> after = hops_from_ends(true);
    for (const ArcId arc : topology_.arcs()) {
      if (of_arc_[index(arc)] == kNone) continue;
      resources_[of_arc_[index(arc)]].idle =
          before[index(topology_.tail(arc))] + after[index(topology_.head(arc))];
    }
  }

  [[nodiscard]] Rational proved(Int128 paid, Int128 sold) {
    if (!starved_) return Rational::of(paid * pieces_, sold);
    link_weights_.resize(topology_.num_arcs());
    for (const ArcId arc : topology_.arcs())
      link_weights_[index(arc)] = of_arc_[index(arc)] == kNone ? 0 : resources_[of_arc_[index(arc)]].weight;
    return starved_->steps(paid * pieces_, sold, link_weights_);
  }

  // What these weights prove, and what is busy when every block takes a cheapest path.
  double offer() {
    price_.resize(topology_.num_arcs());
    const auto weight = [&](uint32_t resource) {
      return resource == kNone ? 0 : resources_[resource].weight;
    };
    for (const ArcId arc : topology_.arcs()) {
      price_[index(arc)] = weight(of_arc_[index(arc)]) + weight(of_sender_[index(topology_.tail(arc))]) +
                           weight(of_receiver_[index(topology_.head(arc))]);
    }
    team_.for_each(lanes_.size(), [&](size_t i) {
      Lane& lane = lanes_[i];
      lane.load.assign(resources_.size(), 0.0);
      lane.paid = 0;
      const size_t end = (i + 1) * homes_.size() / lanes_.size();
      for (size_t home = i * homes_.size() / lanes_.size(); home < end; ++home)
        if (has_any(homes_[home])) search_from(homes_[home], lane);
    });
    load_ = lanes_.front().load;
    Int128 paid = lanes_.front().paid;
    for (size_t i = 1; i < lanes_.size(); ++i) {
      for (size_t r = 0; r < load_.size(); ++r) load_[r] += lanes_[i].load[r];
      paid += lanes_[i].paid;
    }
    for (const Host& host : hosts_) {
      paid += Int128{price_[index(host.up)]} * host.sends + Int128{price_[index(host.down)]} * host.receives;
      add_load(host.up, static_cast<double>(host.sends), load_);
      add_load(host.down, static_cast<double>(host.receives), load_);
    }
    Int128 sold = 0;
    for (const Resource& resource : resources_) sold += Int128{resource.weight} * resource.in_a_step;
    const Rational value = proved(paid, sold);
    if (value_ < value) {
      value_ = value;
      best_.clear();
      for (const Resource& resource : resources_) best_.push_back(resource.weight);
    }
    return std::max(value.to_double() / static_cast<double>(pieces_), 1e-9);
  }

  // A host with one link is no way to others: what it sends and receives goes over that link, and the rest of the way is that of the
  // node next to it. So one search serves all hosts of a switch.
  struct Host {
    ArcId up;
    ArcId down;
    uint64_t sends = 0;
    uint64_t receives = 0;
  };

  void find_homes() {
    home_.assign(topology_.num_nodes(), kNoNode);
    members_.assign(topology_.num_nodes(), {});
    std::vector<uint32_t> host_of(topology_.num_nodes(), kNone);
    for (const NodeId v : topology_.nodes()) {
      home_[index(v)] = v;
      if (topology_.is_directed() || topology_.out_degree(v) != 1) continue;
      const ArcId up = topology_.arcs_from(v)[0];
      if (topology_.out_degree(topology_.head(up)) == 1) continue;
      home_[index(v)] = topology_.head(up);
      host_of[index(v)] = static_cast<uint32_t>(hosts_.size());
      hosts_.push_back({up, topology_.reverse(up)});
    }
    for (const NodeId e : topology_.endpoints()) {
      std::vector<NodeId>& members = members_[index(home_[index(e)])];
      if (members.empty()) homes_.push_back(home_[index(e)]);
      members.push_back(e);
      const uint64_t others = topology_.num_endpoints() - 1;
      if (counts_ == nullptr && host_of[index(e)] != kNone)
        hosts_[host_of[index(e)]].sends = hosts_[host_of[index(e)]].receives = others;
      if (counts_ == nullptr) continue;
      for (const Counts::Entry& entry : counts_->from(*topology_.rank(e))) {
        const NodeId to = topology_.endpoint(entry.to);
        if (to == e) continue;
        if (host_of[index(e)] != kNone) hosts_[host_of[index(e)]].sends += entry.count;
        if (host_of[index(to)] != kNone) hosts_[host_of[index(to)]].receives += entry.count;
      }
    }
  }

  // Where counts are sparse some have nothing for anybody.
  [[nodiscard]] bool has_any(NodeId home) const {
    return counts_ == nullptr || std::ranges::any_of(members_[index(home)], [&](NodeId e) {
             return !counts_->from(*topology_.rank(e)).empty();
           });
  }

  // What a search needs, and what comes of those of one thread.
  struct Lane {
    std::vector<double> load{};
    Int128 paid = 0;
    std::vector<uint64_t> distance{};
    std::vector<ArcId> over{};
    std::vector<ArcId> cheapest{};  // of those into a node
    std::vector<NodeId> settled{};
    std::vector<uint64_t> open{};  // of nodes that are reached and not settled, distance and number
    std::vector<double> blocks{};
  };

  void add_load(ArcId arc, double blocks, std::vector<double>& load) const {
    for (const uint32_t resource : {of_arc_[index(arc)], of_sender_[index(topology_.tail(arc))],
                                    of_receiver_[index(topology_.head(arc))]}) {
      if (resource != kNone) load[resource] += blocks;
    }
  }

  [[nodiscard]] uint64_t cost_of(ArcId arc) const { return uint64_t{price_[index(arc)]} * kHop + 1; }

  // Dijkstra; of equally cheap paths the one of fewer hops.
  void find_paths_from(NodeId source, Lane& lane) const {
    lane.distance.assign(topology_.num_nodes(), UINT64_MAX);
    lane.over.assign(topology_.num_nodes(), kNoArc);
    lane.settled.clear();
    lane.distance[index(source)] = 0;
    if (topology_.num_nodes() <= kNodesLookedThrough) {
      // The nearest that is not settled, of several the first: no branch to foresee, which takes half of the time.
      constexpr unsigned kNodeBits = 5;
      constexpr uint64_t kNode = (uint64_t{1} << kNodeBits) - 1;
      lane.open.assign(topology_.num_nodes(), UINT64_MAX);
      lane.open[index(source)] = index(source);
      for (;;) {
        uint64_t nearest = UINT64_MAX;
        for (const uint64_t item : lane.open) nearest = std::min(nearest, item);
        if (nearest == UINT64_MAX) return;
        lane.open[nearest & kNode] = UINT64_MAX;
        settle(static_cast<uint32_t>(nearest & kNode), lane,
               [&](uint64_t then, size_t head) { lane.open[head] = then << kNodeBits | head; });
      }
    }
    using Item = std::pair<uint64_t, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    queue.emplace(0, static_cast<uint32_t>(index(source)));
    // Whoever is farther than all that are wanted need not be known.
    auto left = std::ranges::count_if(lane.blocks, [](double blocks) { return blocks > 0; });
    while (!queue.empty() && left > 0) {
      const auto [distance, at] = queue.top();
      queue.pop();
      if (distance != lane.distance[at]) continue;
      if (lane.blocks[at] > 0) --left;
      settle(at, lane, [&](uint64_t then, size_t head) { queue.emplace(then, static_cast<uint32_t>(head)); });
    }
  }
  template <typename Tell>
  void settle(uint32_t at, Lane& lane, Tell tell) const {
    lane.settled.push_back(NodeId{at});
    for (const ArcId arc : topology_.arcs_from(NodeId{at})) {
      const size_t head = index(topology_.head(arc));
      if (home_[head] != NodeId{static_cast<uint32_t>(head)}) continue;
      const uint64_t then = lane.distance[at] + cost_of(arc);
      if (then >= lane.distance[head]) continue;
      lane.distance[head] = then;
      lane.over[head] = arc;
      tell(then, head);
    }
  }

  void find_all_cheapest(size_t node, Lane& lane) const {
    lane.cheapest.clear();
    for (const ArcId arc : into_[node]) {
      const uint64_t before = lane.distance[index(topology_.tail(arc))];
      if (before < lane.distance[node] && before + cost_of(arc) == lane.distance[node])
        lane.cheapest.push_back(arc);
    }
  }

  // Calls use(home, blocks) for what a home has for others.
  template <typename Use>
  void for_each_wanted(NodeId source, Use use) const {
    const std::vector<NodeId>& senders = members_[index(source)];
    if (counts_ == nullptr) {
      for (const NodeId home : homes_)
        if (home != source) use(home, senders.size() * members_[index(home)].size());
      return;
    }
    for (const NodeId sender : senders) {
      for (const Counts::Entry& e : counts_->from(*topology_.rank(sender))) {
        const NodeId home = home_[index(topology_.endpoint(e.to))];
        if (home != source) use(home, e.count);
      }
    }
  }

  void search_from(NodeId source, Lane& lane) const {
    lane.blocks.assign(topology_.num_nodes(), 0);
    for_each_wanted(source, [&](NodeId home, uint64_t blocks) {
      lane.blocks[index(home)] += static_cast<double>(blocks);
    });
    find_paths_from(source, lane);
    for_each_wanted(source, [&](NodeId home, uint64_t blocks) {
      lane.paid += Int128{lane.distance[index(home)] / kHop} * blocks;
    });
    for (size_t i = lane.settled.size(); i-- > 1;) {
      const size_t v = index(lane.settled[i]);
      if (lane.blocks[v] <= 0) continue;
      lane.cheapest.assign(1, lane.over[v]);
      if (shares_) find_all_cheapest(v, lane);
      const double each = lane.blocks[v] / static_cast<double>(lane.cheapest.size());
      for (const ArcId arc : lane.cheapest) {
        lane.blocks[index(topology_.tail(arc))] += each;
        add_load(arc, each, lane.load);
      }
    }
  }

  Rational other_;
  Rational first_{0};
  const Topology& topology_;
  const Model& model_;
  const Counts* counts_;
  uint32_t pieces_;  // 1 where what is proved is in proportion to them
  std::optional<StarvedEnds> starved_{};
  std::vector<uint32_t> link_weights_{};
  std::vector<Resource> resources_;
  std::vector<uint32_t> of_arc_;
  std::vector<uint32_t> of_sender_;
  std::vector<uint32_t> of_receiver_;
  std::vector<NodeId> home_{};  // of a host with one link the node next to it, else the node itself
  std::vector<std::vector<NodeId>> members_{};  // endpoints of each home
  std::vector<NodeId> homes_{};                 // those that have any
  std::vector<Host> hosts_{};
  std::vector<uint32_t> best_;
  Rational value_{0};
  bool is_rising_ = false;
  bool shares_ = false;  // paths that are as cheap share the blocks

  std::vector<uint32_t> price_;
  std::vector<double> load_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<Lane> lanes_;
  ThreadTeam team_;
  bool is_stopped_ = false;
};

}  // namespace

std::optional<PricedExchange> priced_exchange(const Problem& problem, bool starved, const Rational& other) {
  PriceSearch search(problem, starved, other);
  search.run();
  // A bound that was cut short is another one when it is checked.
  if (search.is_stopped() || search.value() == Rational(0)) return std::nullopt;
  const Rational pieces(starved ? 1 : problem.collective().pieces());
  return PricedExchange{search.value() * pieces, search.witness()};
}

std::string what_is_weighed(const WeightsWitness& weights) {
  const auto listed = [](size_t number, std::string_view what) {
    return number == 0 ? std::string() : fmt::format(" {} {}{}", number, what, number == 1 ? "" : "s");
  };
  return fmt::format("with weights for{}{}{}", listed(weights.links.size(), "link"),
                     listed(weights.senders.size(), "sender"), listed(weights.receivers.size(), "receiver"));
}

}  // namespace quadrille
