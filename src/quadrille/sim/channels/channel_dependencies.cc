#include "quadrille/sim/channels/channel_dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/sim/dimension_order.h"

namespace quadrille {
namespace {

// --- routings: for each channel those that it may wait for ----------------------------------------------------

class ByDimensionOrder {
 public:
  ByDimensionOrder(const Topology& network, uint32_t vcs) : net_(network), classes_(vcs >= 2 ? 2 : 1) {
    const std::optional<DimensionOrder> order = DimensionOrder::of(network);
    if (!order)
      throw InputError(fmt::format(
          "--routing dor: {} is no product of rings, lines and complete graphs; try --routing updown",
          network.name()));
    links_.reserve(network.num_arcs());
    for (size_t k = 0; k < order->dimensions(); ++k) widest_ = std::max(widest_, order->side(k));
    for (const ArcId arc : network.arcs()) links_.push_back(link_of(*order, arc));
  }

  [[nodiscard]] uint32_t classes() const { return classes_; }
  // A link that wraps has no low channel where there are classes.
  [[nodiscard]] bool exists(uint32_t channel) const {
    return classes_ == 1 || channel % 2 == 1 || !links_[channel / 2].wraps;
  }
  template <typename Visit>
  void for_each_next(uint32_t channel, Visit visit) const {
    const uint32_t arc = channel / classes_;
    const bool high = channel % classes_ == 1;
    const Link& link = links_[arc];
    for (const ArcId out : net_.arcs_from(net_.head(ArcId{arc}))) {
      const auto b = static_cast<uint32_t>(index(out));
      const Link& next = links_[b];
      if (next.dimension < link.dimension) continue;
      const bool on = next.dimension == link.dimension;
      if (on && (next.up != link.up || !link.goes_on)) continue;
      // Who is high stays high and never wraps; into the next dimension, and on a line, any channel may be taken.
      const bool stays = on && link.on_ring && high && classes_ == 2;
      if (stays && next.wraps) continue;
      for (uint32_t c = stays ? 1 : 0; c < classes_; ++c) {
        if (exists(b * classes_ + c)) visit(b * classes_ + c);
      }
    }
  }

  [[nodiscard]] uint64_t number(uint32_t channel) const {
    const Link& link = links_[channel / classes_];
    uint64_t in_dimension = link.from;
    if (link.on_ring && link.wraps) in_dimension = link.side;
    if (link.on_ring && !link.wraps && channel % classes_ == 1)
      in_dimension = uint64_t{link.side} + 1 + link.from;
    return link.dimension * (2 * uint64_t{widest_} + 1) + in_dimension;
  }
  [[nodiscard]] std::string formula() const {
    return "(2n+1) k + x for a low channel, n for a link that wraps, n+1+x for a high one: dimension k, x links before it";
  }
  // All rings of a dimension are alike, and no circle leaves a dimension.
  [[nodiscard]] uint32_t kind(uint32_t channel) const {
    const Link& link = links_[channel / classes_];
    return (link.dimension * 2U + (link.up ? 1U : 0U)) * classes_ + channel % classes_;
  }
  static constexpr bool kKindsAreAlike = true;

 private:
  struct Link {
    uint32_t from = 0;  // links of its ring or line before it, in its direction
    uint32_t side = 1;
    uint8_t dimension = 0;
    bool up = false;
    bool wraps = false;
    bool on_ring = false;
    bool goes_on = false;  // some route takes the next link in the same direction, too
  };

  [[nodiscard]] Link link_of(const DimensionOrder& order, ArcId arc) const {
    const NodeId tail = net_.tail(arc);
    const NodeId head = net_.head(arc);
    size_t k = 0;
    while (order.coordinate(tail, k) == order.coordinate(head, k)) ++k;
    const uint32_t n = order.side(k);
    const uint32_t a = order.coordinate(tail, k);
    const uint32_t b = order.coordinate(head, k);
    Link link;
    link.dimension = static_cast<uint8_t>(k);
    link.side = n;
    if (order.shape(k) == FactorShape::kComplete) return link;
    link.on_ring = order.shape(k) == FactorShape::kRing;
    link.up = link.on_ring ? (a + 1) % n == b : b > a;
    link.wraps = link.on_ring && a == (link.up ? n - 1 : 0);
    link.from = link.up ? a : n - 1 - a;
    // Round three nodes nothing goes two hops, round four only who is half-way round (dimension_order.h).
    link.goes_on = !link.on_ring || n > 4 || (n == 4 && (a % 2 == 1) == link.up);
    return link;
  }

  const Topology& net_;
  uint32_t classes_;
  uint32_t widest_ = 1;
  std::vector<Link> links_{};
};

class ByUpDown {
 public:
  explicit ByUpDown(const Topology& network) : net_(network), order_(network.num_nodes(), UINT32_MAX) {
    if (network.is_directed())
      throw InputError(fmt::format("--routing updown: {} has links of one direction", network.name()));
    std::vector<NodeId> queue;
    const auto reach = [&](NodeId v) {
      if (order_[index(v)] != UINT32_MAX) return;
      order_[index(v)] = static_cast<uint32_t>(queue.size());
      queue.push_back(v);
    };
    size_t done = 0;
    for (const NodeId root : network.nodes()) {  // a root for every part that is whole
      reach(root);
      for (; done < queue.size(); ++done) {
        for (const ArcId arc : network.arcs_from(queue[done])) reach(network.head(arc));
      }
    }
  }

  [[nodiscard]] static uint32_t classes() { return 1; }
  [[nodiscard]] static bool exists(uint32_t) { return true; }
  template <typename Visit>
  void for_each_next(uint32_t channel, Visit visit) const {
    const bool down = !is_up(ArcId{channel});
    for (const ArcId out : net_.arcs_from(net_.head(ArcId{channel}))) {
      if (net_.head(out) == net_.tail(ArcId{channel}) || (down && is_up(out))) continue;
      visit(static_cast<uint32_t>(index(out)));
    }
  }
  [[nodiscard]] uint64_t number(uint32_t channel) const {
    const uint64_t n = net_.num_nodes();
    const uint64_t order = order_[index(net_.tail(ArcId{channel}))];
    return is_up(ArcId{channel}) ? n - order : n + order;
  }
  [[nodiscard]] static std::string formula() {
    return "N - i for a link that leads towards the root, N + i for one that leads away: i numbers its tail, breadth first";
  }
  [[nodiscard]] static uint32_t kind(uint32_t channel) { return channel; }
  static constexpr bool kKindsAreAlike = false;

 private:
  [[nodiscard]] bool is_up(ArcId arc) const {
    return order_[index(net_.head(arc))] < order_[index(net_.tail(arc))];
  }

  const Topology& net_;
  std::vector<uint32_t> order_;
};

// Dependencies that are found destination by destination and kept.
class StoredDependencies {
 public:
  StoredDependencies(uint32_t arcs, uint32_t classes) : classes_(classes), next_(size_t{arcs} * classes) {}

  [[nodiscard]] uint32_t classes() const { return classes_; }
  [[nodiscard]] static bool exists(uint32_t) { return true; }
  template <typename Visit>
  void for_each_next(uint32_t channel, Visit visit) const {
    for (const uint32_t next : next_[channel]) visit(next);
  }
  [[nodiscard]] static uint64_t number(uint32_t) { return 0; }  // no formula
  [[nodiscard]] static std::string formula() { return {}; }
  [[nodiscard]] static uint32_t kind(uint32_t channel) { return channel; }
  static constexpr bool kKindsAreAlike = false;

 protected:
  void add(uint32_t held, uint32_t wanted) {
    std::vector<uint32_t>& next = next_[held];
    if (std::ranges::find(next, wanted) == next.end()) next.push_back(wanted);
  }

 private:
  uint32_t classes_;
  std::vector<std::vector<uint32_t>> next_;
};

class ByTable final : public StoredDependencies {
 public:
  ByTable(const Topology& network, const RoutingTable& table, uint32_t vcs)
      : StoredDependencies(network.num_arcs(), vcs >= 2 ? 2 : 1) {
    std::vector<bool> on_a_way;
    for (const NodeId destination : network.endpoints()) {
      // Only ways from endpoints are taken.
      on_a_way.assign(network.num_nodes(), false);
      for (const NodeId source : network.endpoints()) {
        for (NodeId v = source; v != destination && !on_a_way[index(v)];) {
          on_a_way[index(v)] = true;
          const ArcId first = arc_of(network, table, v, destination);
          v = network.head(first);
          if (v == destination) break;
          const ArcId second = arc_of(network, table, v, destination);
          for_each_class(table.next(network.tail(first), destination), [&](uint32_t a) {
            for_each_class(table.next(v, destination), [&](uint32_t b) {
              add(static_cast<uint32_t>(index(first)) * classes() + a,
                  static_cast<uint32_t>(index(second)) * classes() + b);
            });
          });
        }
      }
    }
  }

 private:
  static ArcId arc_of(const Topology& network, const RoutingTable& table, NodeId v, NodeId destination) {
    return network.arcs_from(v)[table.next(v, destination).position()];
  }
  template <typename Visit>
  void for_each_class(Hop hop, Visit visit) const {
    if (classes() == 1) return visit(0);
    if (hop.allowed() != VcClass::kHigh) visit(0);
    if (hop.allowed() != VcClass::kLow) visit(1);
  }
};

class ByShortestPaths final : public StoredDependencies {
 public:
  explicit ByShortestPaths(const Topology& network) : StoredDependencies(network.num_arcs(), 1) {
    constexpr uint32_t kMostNodes = 8192;
    if (network.num_nodes() > kMostNodes)
      throw InputError(fmt::format(
          "--routing shortest: a table for {} nodes has {} entries; it is made for up to {} nodes, others want a rule: "
          "--routing dor or updown",
          network.num_nodes(), uint64_t{network.num_nodes()} * network.num_nodes(), kMostNodes));
    std::vector<std::vector<NodeId>> from(network.num_nodes());
    for (const ArcId arc : network.arcs()) from[index(network.head(arc))].push_back(network.tail(arc));
    std::vector<uint32_t> distance;
    std::vector<ArcId> hop(network.num_nodes());
    for (const NodeId destination : network.endpoints()) {
      find_distances(from, destination, distance);
      for (const NodeId v : network.nodes()) {
        hop[index(v)] = kNoArc;
        for (const ArcId arc : network.arcs_from(v)) {
          if (distance[index(network.head(arc))] + 1 != distance[index(v)]) continue;
          hop[index(v)] = arc;
          break;
        }
      }
      for (const NodeId v : network.nodes()) {
        if (v == destination || network.head(hop[index(v)]) == destination) continue;
        add(static_cast<uint32_t>(index(hop[index(v)])),
            static_cast<uint32_t>(index(hop[index(network.head(hop[index(v)]))])));
      }
    }
  }

 private:
  static void find_distances(const std::vector<std::vector<NodeId>>& from, NodeId destination,
                             std::vector<uint32_t>& distance) {
    distance.assign(from.size(), UINT32_MAX);
    distance[index(destination)] = 0;
    std::vector<NodeId> queue = {destination};
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const NodeId v : from[index(queue[i])]) {
        if (distance[index(v)] != UINT32_MAX) continue;
        distance[index(v)] = distance[index(queue[i])] + 1;
        queue.push_back(v);
      }
    }
  }
};

// --- what holds of any of them ---------------------------------------------------------------------------------

template <typename Routing>
class Checker {
 public:
  Checker(const Routing& routing, uint64_t arcs) : routing_(routing) {
    const uint64_t channels = arcs * routing.classes();
    if (channels >= UINT32_MAX)
      throw InputError(fmt::format("deadlock: {} channels are more than 32 bits count", channels));
    require_memory(channels * 8, fmt::format("deadlock: {} channels and", channels));
    channels_ = static_cast<uint32_t>(channels);
  }

  DependencyCheck run() {
    DependencyCheck check;
    check.classes = routing_.classes();
    waiting_.assign(channels_, 0);
    bool rises = true;
    for (uint32_t c = 0; c < channels_; ++c) {
      if (!routing_.exists(c)) continue;
      ++check.channels;
      const uint64_t number = routing_.number(c);
      routing_.for_each_next(c, [&](uint32_t next) {
        ++check.dependencies;
        ++waiting_[next];
        rises = rises && number < routing_.number(next);
      });
    }
    if (rises && check.dependencies > 0) check.numbering = routing_.formula();
    const uint64_t taken = take_away();
    check.acyclic = taken == check.channels;
    if (!check.acyclic) find_circle(check);
    return check;
  }

 private:
  // Takes away channels that nobody waits in front of, as long as there are some; the rest have waiting_ > 0.
  uint64_t take_away() {
    uint64_t taken = 0;
    std::vector<uint32_t> stack;
    for (uint32_t c = 0; c < channels_; ++c) {
      if (!routing_.exists(c) || waiting_[c] != 0) continue;
      waiting_[c] = kTaken;
      stack.push_back(c);
      while (!stack.empty()) {
        const uint32_t top = stack.back();
        stack.pop_back();
        ++taken;
        routing_.for_each_next(top, [&](uint32_t next) {
          if (--waiting_[next] > 0) return;
          waiting_[next] = kTaken;
          stack.push_back(next);
        });
      }
    }
    return taken;
  }

  // From each of the rest, or from one of each kind where those of a kind are alike.
  void find_circle(DependencyCheck& check) {
    constexpr uint32_t kMostStarts = 20000;
    std::vector<uint32_t> starts;
    std::vector<bool> seen_kind;
    uint64_t left = 0;
    for (uint32_t c = 0; c < channels_; ++c) {
      if (!routing_.exists(c) || waiting_[c] == kTaken) continue;
      ++left;
      const uint32_t kind = routing_.kind(c);
      if (kind >= seen_kind.size()) seen_kind.resize(size_t{kind} + 1, false);
      if (Routing::kKindsAreAlike && seen_kind[kind]) continue;
      seen_kind[kind] = true;
      if (starts.size() < kMostStarts) starts.push_back(c);
    }
    came_from_.assign(channels_, kNobody);
    std::vector<uint32_t> circle;
    for (const uint32_t start : starts) shortest_from(start, circle);
    check.is_shortest = Routing::kKindsAreAlike || starts.size() == left;
    for (const uint32_t c : circle)
      check.circle.push_back({ArcId{c / routing_.classes()}, c % routing_.classes()});
  }

  // A circle through the start that is shorter than the best one so far, breadth first.
  void shortest_from(uint32_t start, std::vector<uint32_t>& best) {
    std::vector<uint32_t> queue = {start};
    std::vector<uint32_t> depth = {1};
    bool found = false;
    for (size_t i = 0; i < queue.size() && !found; ++i) {
      if (!best.empty() && depth[i] >= best.size()) break;
      routing_.for_each_next(queue[i], [&](uint32_t next) {
        if (found || waiting_[next] == kTaken) return;
        if (next == start) {
          found = true;
          best.clear();
          for (uint32_t at = queue[i]; at != start; at = came_from_[at]) best.push_back(at);
          best.push_back(start);
          std::ranges::reverse(best);
          return;
        }
        if (came_from_[next] != kNobody) return;
        came_from_[next] = queue[i];
        queue.push_back(next);
        depth.push_back(depth[i] + 1);
      });
    }
    for (const uint32_t c : queue) came_from_[c] = kNobody;
  }

  static constexpr uint32_t kTaken = UINT32_MAX;
  static constexpr uint32_t kNobody = UINT32_MAX;
  const Routing& routing_;
  uint32_t channels_ = 0;
  std::vector<uint32_t> waiting_{};  // how many dependencies end in a channel
  std::vector<uint32_t> came_from_{};
};

}  // namespace

DependencyCheck check_dependencies(const Topology& network, Routes routes, uint32_t vcs,
                                   const RoutingTable* table) {
  if (vcs == 0) throw InputError("--vcs: a link has at least 1 virtual channel, not 0");
  if (routes == Routes::kDimensionOrder) {
    const ByDimensionOrder routing(network, vcs);
    return Checker(routing, network.num_arcs()).run();
  }
  if (routes == Routes::kUpDown) {
    const ByUpDown routing(network);
    return Checker(routing, network.num_arcs()).run();
  }
  if (routes == Routes::kTable) {
    QUADRILLE_CHECK(table != nullptr, "dependencies of no table");
    const ByTable routing(network, *table, vcs);
    return Checker(routing, network.num_arcs()).run();
  }
  const ByShortestPaths routing(network);
  return Checker(routing, network.num_arcs()).run();
}

}  // namespace quadrille
