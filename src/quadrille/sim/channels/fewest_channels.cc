#include "quadrille/sim/channels/fewest_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/search/formula.h"
#include "quadrille/search/refutation.h"
#include "quadrille/search/solve.h"
#include "quadrille/sim/dimension_order.h"

namespace quadrille {
namespace {

using Route = std::vector<uint32_t>;  // arcs

// --- the routes ----------------------------------------------------------------------------------------------

// To each destination the shortest path, of the next hops the one with the lowest number.
std::vector<ArcId> shortest_hops(const Topology& network, NodeId destination) {
  std::vector<uint32_t> distance(network.num_nodes(), UINT32_MAX);
  distance[index(destination)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ArcId arc : network.arcs()) {
      const uint32_t through = distance[index(network.head(arc))];
      if (through == UINT32_MAX || through + 1 >= distance[index(network.tail(arc))]) continue;
      distance[index(network.tail(arc))] = through + 1;
      changed = true;
    }
  }
  std::vector<ArcId> hop(network.num_nodes(), kNoArc);
  for (const NodeId v : network.nodes()) {
    for (const ArcId arc : network.arcs_from(v)) {
      if (hop[index(v)] == kNoArc && distance[index(network.head(arc))] + 1 == distance[index(v)])
        hop[index(v)] = arc;
    }
  }
  return hop;
}

std::set<Route> all_routes(const Topology& network, Routes routes, const RoutingTable* table) {
  std::set<Route> out;
  const std::optional<DimensionOrder> order = DimensionOrder::of(network);
  if (routes == Routes::kDimensionOrder && !order)
    throw InputError(
        fmt::format("--routing dor: {} is no product of rings, lines and complete graphs", network.name()));
  std::vector<ArcId> path;
  for (const NodeId d : network.endpoints()) {
    const std::vector<ArcId> hops =
        routes == Routes::kShortest ? shortest_hops(network, d) : std::vector<ArcId>{};
    for (const NodeId s : network.endpoints()) {
      if (s == d) continue;
      Route route;
      if (routes == Routes::kDimensionOrder) {
        path.clear();
        order->route(s, d, path);
        for (const ArcId arc : path) route.push_back(static_cast<uint32_t>(index(arc)));
      } else {
        for (NodeId v = s; v != d;) {
          const ArcId arc =
              routes == Routes::kTable ? network.arcs_from(v)[table->next(v, d).position()] : hops[index(v)];
          if (arc == kNoArc)
            throw InputError(fmt::format("--routing shortest: no way leads from {} to {}", network.label(s),
                                         network.label(d)));
          route.push_back(static_cast<uint32_t>(index(arc)));
          v = network.head(arc);
        }
      }
      if (route.size() > 1) out.insert(std::move(route));
    }
  }
  return out;
}

// What is a part of another route does what that one does.
std::vector<Route> longest_only(const std::set<Route>& routes) {
  std::set<Route> parts;
  for (const Route& route : routes) {
    if (route.size() < 3) continue;
    parts.emplace(route.begin() + 1, route.end());
    parts.emplace(route.begin(), route.end() - 1);
  }
  std::vector<Route> out;
  for (const Route& route : routes) {
    if (!parts.contains(route)) out.push_back(route);
  }
  return out;
}

// --- the formula ---------------------------------------------------------------------------------------------

class ChannelOrder {
 public:
  ChannelOrder(const std::vector<Route>& routes, uint32_t arcs, uint32_t vcs)
      : routes_(routes), vcs_(vcs), number_(arcs, UINT32_MAX) {
    for (const Route& route : routes) {
      for (const uint32_t arc : route) {
        if (number_[arc] == UINT32_MAX) number_[arc] = used_++;
      }
    }
    const uint64_t channels = uint64_t{used_} * vcs;
    constexpr uint64_t kMostChannels = 200;  // 4 million clauses
    if (channels > kMostChannels)
      throw InputError(fmt::format(
          "--fewest: {} channels ({} links with {} each) are more than the {} for which all orders are searched; "
          "try a smaller network of the same kind",
          channels, used_, vcs, kMostChannels));
    channels_ = static_cast<uint32_t>(channels);
    make_order();
    for (const Route& route : routes) add_route(route);
  }

  [[nodiscard]] const Formula& formula() const { return formula_; }

  // Whether channels that nobody waits in front of can be taken away until none is left.
  [[nodiscard]] bool is_sound(const SearchAnswer& answer) const {
    std::set<std::pair<uint32_t, uint32_t>> dependencies;
    size_t hop = 0;
    for (const Route& route : routes_) {
      uint32_t last = UINT32_MAX;
      for (const uint32_t arc : route) {
        const int first = taken_[hop++];
        uint32_t vc = 0;
        while (vc < vcs_ && !answer.value(first + static_cast<int>(vc))) ++vc;
        if (vc == vcs_) return false;
        const uint32_t channel = number_[arc] * vcs_ + vc;
        if (last != UINT32_MAX) dependencies.emplace(last, channel);
        last = channel;
      }
    }
    std::vector<uint32_t> waiting(channels_, 0);
    for (const auto& [held, wanted] : dependencies) ++waiting[wanted];
    std::vector<uint32_t> free;
    for (uint32_t c = 0; c < channels_; ++c) {
      if (waiting[c] == 0) free.push_back(c);
    }
    for (size_t i = 0; i < free.size(); ++i) {
      for (auto d = dependencies.lower_bound({free[i], 0}); d != dependencies.end() && d->first == free[i];
           ++d) {
        if (--waiting[d->second] == 0) free.push_back(d->second);
      }
    }
    return free.size() == channels_;
  }

 private:
  // The channel a comes before the channel b: a variable for two of them.
  [[nodiscard]] int before(uint32_t a, uint32_t b) const {
    if (a > b) return -before(b, a);
    return first_ + static_cast<int>(uint64_t{b} * (b - 1) / 2 + a);
  }
  void make_order() {
    first_ = formula_.variables(size_t{channels_} * (channels_ - 1) / 2);
    for (uint32_t a = 0; a < channels_; ++a) {
      for (uint32_t b = 0; b < channels_; ++b) {
        for (uint32_t c = a + 1; c < channels_; ++c) {
          // Of three no two rounds: one clause for each way round.
          if (b <= a || b == c) continue;
          formula_.add({-before(a, b), -before(b, c), before(a, c)});
        }
      }
    }
  }
  void add_route(const Route& route) {
    for (size_t i = 0; i < route.size(); ++i) {
      const int first = formula_.variables(vcs_);
      taken_.push_back(first);
      std::vector<int> one;
      for (uint32_t v = 0; v < vcs_; ++v) one.push_back(first + static_cast<int>(v));
      formula_.add(one);
      if (i == 0) continue;
      const int last = taken_[taken_.size() - 2];
      for (uint32_t v = 0; v < vcs_; ++v) {
        for (uint32_t w = 0; w < vcs_; ++w)
          formula_.add({-(last + static_cast<int>(v)), -(first + static_cast<int>(w)),
                        before(number_[route[i - 1]] * vcs_ + v, number_[route[i]] * vcs_ + w)});
      }
    }
  }

  const std::vector<Route>& routes_;
  uint32_t vcs_;
  std::vector<uint32_t> number_;  // of the arcs that are used
  uint32_t used_ = 0;
  uint32_t channels_ = 0;
  int first_ = 0;
  std::vector<int> taken_{};  // of every hop of every route the first of its variables
  Formula formula_{};
};

}  // namespace

FewestChannels fewest_channels(const Topology& network, Routes routes, const RoutingTable* table,
                               uint32_t conflicts) {
  if (routes == Routes::kUpDown)
    throw InputError("--fewest: up*/down* never deadlocks with one channel; ask of dor, shortest or a table");
  QUADRILLE_CHECK(routes != Routes::kTable || table != nullptr, "routes of no table");
  const std::vector<Route> longest = longest_only(all_routes(network, routes, table));
  FewestChannels fewest;
  fewest.routes = longest.size();
  for (fewest.channels = 1; !longest.empty(); ++fewest.channels) {
    const ChannelOrder order(longest, network.num_arcs(), fewest.channels);
    const SearchAnswer answer = solve(order.formula(), {.conflicts = conflicts, .want_proof = true});
    if (answer.satisfiable()) {
      QUADRILLE_CHECK(order.is_sound(answer), "an order of channels that has a circle");
      break;
    }
    if (!answer.unsatisfiable())
      throw InputError(
          fmt::format("--fewest: {} could neither be shown to be enough nor refuted with {} conflicts",
                      fewest.channels, conflicts));
    const RefutationCheck check = check_refutation(order.formula(), answer.proof);
    QUADRILLE_CHECK(check.refutes, check.why);
    fewest.lemmas = check.lemmas;
    fewest.clauses = order.formula().num_clauses();
  }
  fewest.channels = std::max(fewest.channels, 1U);
  return fewest;
}

}  // namespace quadrille
