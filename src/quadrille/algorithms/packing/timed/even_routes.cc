#include "quadrille/algorithms/packing/timed/even_routes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "quadrille/base/memory/large_pages.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Hops more than a shortest path has: half as many as there are from the first node to the farthest, within these.
constexpr uint32_t kLeastDetour = 6;
constexpr uint32_t kMostDetour = 32;
// More than all prices: so long as there are no paths the shortest are taken.
constexpr uint64_t kFirstHop = uint64_t{1} << 50U;
// Looks at links, over all rounds.
constexpr uint64_t kLooks = uint64_t{1} << 24U;
constexpr uint64_t kLeastRounds = 12;
constexpr uint64_t kMostRounds = 100;
constexpr uint64_t kRoundsOfFew = 20;
constexpr size_t kAhead = 8;  // sources
// A price is e^(steepness (work / average work - 1)), steeper from round to round; in whole numbers, which are the same everywhere.
constexpr double kFirstSteepness = 10;
constexpr double kSteeper = 4;

uint64_t price_of(double work, double steepness) {
  constexpr double kMostExponent = 20;
  constexpr double kUnits = 65'536;
  return 1 + static_cast<uint64_t>(
                 std::llround(kUnits * std::exp(std::min(kMostExponent, steepness * (work - 1)))));
}

}  // namespace

EvenRoutes::EvenRoutes(const Topology& topology, const Mirrors& mirrors, const OrbitLinks& links, Ports send,
                       Ports receive)
    : topology_(topology),
      mirrors_(mirrors),
      links_(links),
      send_ports_(send.unlimited() ? topology.num_arcs() : send.count),
      receive_ports_(receive.unlimited() ? topology.num_arcs() : receive.count),
      over_(links.tail.size(), 0),
      through_(mirrors.num_orbits(), 0),
      price_of_link_(links.tail.size(), 0),
      price_of_orbit_(mirrors.num_orbits(), 0),
      cost_(topology.num_nodes(), 0),
      next_(topology.num_nodes()) {
  const uint32_t n = topology.num_nodes();
  into_begin_.assign(n + 1, 0);
  for (const ArcId arc : topology.arcs()) ++into_begin_[index(topology.head(arc))];
  uint32_t sum = 0;
  for (uint32_t& at : into_begin_) sum = at += sum;
  into_.resize(topology.num_arcs());
  for (const ArcId arc : topology.arcs()) into_[--into_begin_[index(topology.head(arc))]] = arc;
  begin_.reserve(size_t{n} * mirrors.num_orbits() + 1);
  begin_.push_back(0);
  const std::vector<uint32_t> from_corner = distances_from(topology, mirrors.first(0));
  const uint32_t detour = std::clamp(std::ranges::max(from_corner) / 2, kLeastDetour, kMostDetour);
  uint64_t shortest = 0;
  for (uint32_t t = 0; t < mirrors.num_orbits(); ++t) {
    const std::vector<uint32_t> hops = distances_to(topology, mirrors.first(t));
    for (uint32_t s = 0; s < n; ++s) {
      begin_.push_back(begin_.back() + (hops[s] == 0 ? 0 : hops[s] + detour));
      shortest += hops[s];
    }
  }
  length_.assign(begin_.size() - 1, 0);
  hops_.reserve(begin_.back());
  prefer_large_pages(hops_.data(), hops_.capacity() * sizeof(ArcId));
  hops_.assign(begin_.back(), kNoArc);
  scale_ = static_cast<double>(shortest) / mirrors.num_orbits();
  std::vector<uint32_t> destinations(mirrors.num_orbits());
  std::iota(destinations.begin(), destinations.end(), 0U);
  const uint64_t rounds = std::clamp(kLooks / (uint64_t{mirrors.num_orbits()} * topology.num_arcs() + 1),
                                     kLeastRounds, n <= kFewNodes ? kRoundsOfFew : kMostRounds);
  for (uint64_t round = 0; round < rounds; ++round) {
    steepness_ =
        kFirstSteepness * std::pow(kSteeper, static_cast<double>(round) / static_cast<double>(rounds));
    rng_.shuffle(destinations);
    for (const uint32_t t : destinations) route(t, round);
  }
}

uint64_t EvenRoutes::steps_at_least() const {
  const uint64_t own = topology_.num_nodes() - 1;
  const uint64_t ports =
      std::max<uint64_t>(std::min(send_ports_, receive_ports_), 1);  // of a single node none
  uint64_t most = 0;
  for (size_t link = 0; link < over_.size(); ++link)
    most = std::max(most, (over_[link] + links_.capacity[link] - 1) / links_.capacity[link]);
  for (const uint64_t passed_on : through_) most = std::max(most, (own + passed_on + ports - 1) / ports);
  return most;
}

void EvenRoutes::set_prices() {
  const auto own = static_cast<double>(topology_.num_nodes() - 1);
  const double steps = scale_ / static_cast<double>(std::min(send_ports_, receive_ports_));
  for (size_t o = 0; o < through_.size(); ++o)
    price_of_orbit_[o] = price_of((static_cast<double>(through_[o]) + own) / scale_, steepness_);
  for (size_t link = 0; link < over_.size(); ++link)
    price_of_link_[link] =
        price_of(static_cast<double>(over_[link]) / (steps * links_.capacity[link]), steepness_);
}

void EvenRoutes::add(std::span<const ArcId> hops, bool more) {
  const uint64_t change = more ? 1 : UINT64_MAX;  // one less
  for (size_t h = 0; h < hops.size(); ++h) {
    const uint32_t link = links_.link_of[index(hops[h])];
    over_[link] += change;
    if (h > 0) through_[links_.tail[link]] += change;
  }
}

// The cheapest path of every node to the destination (Dijkstra's search, backwards): the least cost first, and of those the first
// node. Where a cost leaves room for the node's number both are one key.
void EvenRoutes::grow_tree(NodeId destination, uint64_t a_hop) {
  const auto bits = static_cast<uint32_t>(std::bit_width(topology_.num_nodes()));
  const auto most = [](const std::vector<uint64_t>& prices) {
    return prices.empty() ? 0 : std::ranges::max(prices);  // of a single node there are no links
  };
  const uint64_t most_a_hop = most(price_of_link_) + most(price_of_orbit_);
  if (a_hop > 0 || most_a_hop > (UINT64_MAX >> bits) / topology_.num_nodes()) {
    grow_tree_by(
        heap_, destination, a_hop, [](uint64_t cost, NodeId v) { return std::pair(cost, v); },
        [](const std::pair<uint64_t, NodeId>& key) { return key; });
    return;
  }
  grow_tree_by(
      keys_, destination, a_hop,
      [bits](uint64_t cost, NodeId v) { return cost << bits | static_cast<uint64_t>(index(v)); },
      [bits](uint64_t key) {
        const auto number = static_cast<uint32_t>(key & ((uint64_t{1} << bits) - 1));
        return std::pair(key >> bits, NodeId{number});
      });
}

template <typename Key, typename Make, typename Read>
void EvenRoutes::grow_tree_by(std::vector<Key>& heap, NodeId destination, uint64_t a_hop, Make key_of,
                              Read read) {
  std::ranges::fill(cost_, UINT64_MAX);
  heap.clear();
  const auto reach = [&](NodeId v, uint64_t cost, const Hop& hop) {
    if (cost >= cost_[index(v)]) return;
    cost_[index(v)] = cost;
    next_[index(v)] = hop;
    heap.push_back(key_of(cost, v));
    std::ranges::push_heap(heap, std::greater<>());
  };
  reach(destination, 0, {kNoArc, destination});
  while (!heap.empty()) {
    const auto [cost, v] = read(heap.front());
    std::ranges::pop_heap(heap, std::greater<>());
    heap.pop_back();
    if (cost > cost_[index(v)]) continue;
    const uint64_t passed_on = v == destination ? 0 : price_of_orbit_[mirrors_.orbit(v)];
    for (uint32_t a = into_begin_[index(v)]; a < into_begin_[index(v) + 1]; ++a) {
      const ArcId arc = into_[a];
      reach(topology_.tail(arc), cost + a_hop + passed_on + price_of_link_[links_.link_of[index(arc)]],
            {arc, v});
    }
  }
}

void EvenRoutes::route(uint32_t destination, uint64_t round) {
  set_prices();
  const NodeId to = mirrors_.first(destination);
  grow_tree(to, round == 0 ? kFirstHop : 0);
  const uint64_t some_of = round / 2 + 1;
  sources_.clear();
  for (const NodeId from : topology_.nodes())
    if (from != to && (some_of <= 1 || rng_.below(some_of) == 0)) sources_.push_back(from);
  const size_t first = size_t{destination} * topology_.num_nodes();
  for (size_t s = 0; s < sources_.size(); ++s) {
    // Old paths do not stay in a cache: those that come soon are asked for ahead.
    if (s + kAhead < sources_.size()) {
      const size_t soon = first + index(sources_[s + kAhead]);
      __builtin_prefetch(hops_.data() + begin_[soon], 1);
      __builtin_prefetch(hops_.data() + begin_[soon] + length_[soon], 1);
    }
    const NodeId from = sources_[s];
    const size_t i = first + index(from);
    path_.clear();
    for (NodeId at = from; at != to && path_.size() <= begin_[i + 1] - begin_[i]; at = next_[index(at)].to)
      path_.push_back(next_[index(at)].arc);
    if (path_.size() > begin_[i + 1] - begin_[i]) continue;
    // Most new paths end as the old ones did: nothing changes there. Neither is the end of the other, as none passes its source twice.
    const std::span<const ArcId> before = path(i);
    size_t same = 0;
    while (same < std::min(before.size(), path_.size()) &&
           before[before.size() - same - 1] == path_[path_.size() - same - 1])
      ++same;
    add(before.first(before.size() - same), false);
    add(std::span(path_).first(path_.size() - same), true);
    std::ranges::copy(path_, hops_.begin() + static_cast<std::ptrdiff_t>(begin_[i]));
    length_[i] = static_cast<uint16_t>(path_.size());
  }
}

}  // namespace quadrille
