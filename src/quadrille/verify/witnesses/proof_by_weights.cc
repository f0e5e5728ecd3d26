// What all transfers pay at least, and what a step can earn: what a WeightsWitness proves.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>

#include "quadrille/verify/witnesses/entered_parts.h"
#include "quadrille/verify/witnesses/proof.h"
#include "quadrille/verify/witnesses/starved.h"

namespace quadrille {
namespace {

// The cheapest ways from a node, over the arcs as they are or backwards.
std::vector<uint64_t> prices_from(const Topology& net, const std::vector<std::vector<ArcId>>& arcs_at,
                                  const std::vector<uint64_t>& price, NodeId from) {
  std::vector<uint64_t> best(net.num_nodes(), UINT64_MAX);
  std::priority_queue<std::pair<uint64_t, NodeId>, std::vector<std::pair<uint64_t, NodeId>>, std::greater<>>
      next;
  next.emplace(0, from);
  while (!next.empty()) {
    const auto [paid, v] = next.top();
    next.pop();
    if (best[index(v)] != UINT64_MAX) continue;
    best[index(v)] = paid;
    for (const ArcId arc : arcs_at[index(v)]) {
      const NodeId other = net.tail(arc) == v ? net.head(arc) : net.tail(arc);
      if (best[index(other)] == UINT64_MAX) next.emplace(paid + price[index(arc)], other);
    }
  }
  return best;
}

// The same where every arc has one price: by hops.
std::vector<uint64_t> prices_from(const Topology& net, const std::vector<std::vector<ArcId>>& arcs_at,
                                  uint64_t price, NodeId from) {
  std::vector<uint64_t> best(net.num_nodes(), UINT64_MAX);
  std::vector<NodeId> reached{from};
  best[index(from)] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    const NodeId v = reached[i];
    for (const ArcId arc : arcs_at[index(v)]) {
      const NodeId other = net.tail(arc) == v ? net.head(arc) : net.tail(arc);
      if (best[index(other)] != UINT64_MAX) continue;
      best[index(other)] = best[index(v)] + price;
      reached.push_back(other);
    }
  }
  return best;
}

// Of an allreduce, where endpoints hang on one neighbour: each sends to it and hears from it. A node with those who hang on it is a
// group, and as above all groups but one send before somebody has everything, and receive afterwards.
Int128 paid_between_groups(const Topology& net, const std::vector<std::vector<ArcId>>& from,
                           const std::vector<std::vector<ArcId>>& to, const std::vector<uint64_t>& price) {
  const auto neighbour = [&](NodeId v) {
    std::optional<NodeId> only;
    for (const ArcId arc : from[index(v)])
      only = !only || *only == net.head(arc) ? std::optional(net.head(arc)) : std::optional(v);
    for (const ArcId arc : to[index(v)])
      if (only && *only != net.tail(arc)) only = v;
    return only && *only != v && net.rank(v) ? only : std::nullopt;
  };
  std::vector<char> hangs(net.num_nodes(), 0);
  for (const NodeId v : net.nodes()) {
    const std::optional<NodeId> on = neighbour(v);
    hangs[index(v)] = on && !neighbour(*on) ? 1 : 0;
  }
  Int128 paid = 0;
  Int128 most = 0;
  for (const NodeId v : net.nodes()) {
    if (hangs[index(v)] != 0) {
      uint64_t there = UINT64_MAX;
      uint64_t back = UINT64_MAX;
      for (const ArcId arc : from[index(v)]) there = std::min(there, price[index(arc)]);
      for (const ArcId arc : to[index(v)]) back = std::min(back, price[index(arc)]);
      paid += Int128{there} + back;
      continue;
    }
    bool is_group = net.rank(v).has_value();
    uint64_t first = UINT64_MAX;
    uint64_t last = UINT64_MAX;
    for (const ArcId arc : from[index(v)]) {
      if (hangs[index(net.head(arc))] != 0) is_group = true;
      if (hangs[index(net.head(arc))] == 0) first = std::min(first, price[index(arc)]);
    }
    for (const ArcId arc : to[index(v)])
      if (hangs[index(net.tail(arc))] == 0) last = std::min(last, price[index(arc)]);
    if (!is_group || first == UINT64_MAX || last == UINT64_MAX) continue;
    paid += Int128{first} + last;
    most = std::max(most, Int128{first} + last);
  }
  return paid - most;
}

}  // namespace

Rational Proof::operator()(const WeightsWitness& weights) const {
  if (!single_packets()) return 0;
  std::vector<uint64_t> price(net_.num_arcs(), 0);
  std::map<std::pair<NodeId, NodeId>, uint64_t> sold_by_link;
  for (const WeightsWitness::Link& link : weights.links) {
    const ArcId arc = *net_.find_arc(link.tail, link.head);
    price[index(arc)] = link.weight;
    const bool shared = model_.duplex == Duplex::kHalf && link.head < link.tail;
    uint64_t& most = sold_by_link[shared ? std::pair(link.head, link.tail) : std::pair(link.tail, link.head)];
    most = std::max(most, uint64_t{link.weight} * net_.capacity(arc));
  }
  const std::vector<uint64_t> of_links = price;
  Int128 sold = 0;
  for (const auto& [ends, most] : sold_by_link) sold += most;
  std::vector<uint64_t> sender(net_.num_nodes(), 0);
  std::vector<uint64_t> receiver(net_.num_nodes(), 0);
  for (const WeightsWitness::Node& at : weights.senders) {
    sender[index(at.node)] = at.weight;
    sold += Int128{at.weight} * starts(at.node);
  }
  for (const WeightsWitness::Node& at : weights.receivers) {
    receiver[index(at.node)] = at.weight;
    sold += Int128{at.weight} * ends(at.node);
  }
  if (sold == 0) return 0;
  std::vector<std::vector<ArcId>> from(net_.num_nodes());
  std::vector<std::vector<ArcId>> to(net_.num_nodes());
  std::vector<uint64_t> last_hop(net_.num_nodes(), UINT64_MAX);
  std::vector<uint64_t> first_hop(net_.num_nodes(), UINT64_MAX);
  for (const ArcId arc : net_.arcs()) {
    const size_t tail = index(net_.tail(arc));
    const size_t head = index(net_.head(arc));
    price[index(arc)] += sender[tail] + receiver[head];
    from[tail].push_back(arc);
    to[head].push_back(arc);
    first_hop[tail] = std::min(first_hop[tail], price[index(arc)]);
    last_hop[head] = std::min(last_hop[head], price[index(arc)]);
  }

  const bool is_one_price =
      !price.empty() && std::ranges::adjacent_find(price, std::not_equal_to<>()) == price.end();

  // What blocks must pay that begin at a node (those of a combining collective: end there). One that moves
  // pays the whole way; one that is copied the longest of its ways, and all the last hops.
  const Collective& collective = problem_.collective();
  const bool backwards = collective.flow() == Flow::kCombine || collective.kind() == CollectiveKind::kGather;
  const auto paid_at = [&](NodeId end) {
    const std::vector<std::vector<ArcId>>& arcs = backwards ? to : from;
    const std::vector<uint64_t> ways =
        is_one_price ? prices_from(net_, arcs, price.front(), end) : prices_from(net_, arcs, price, end);
    Int128 sum = 0;
    Int128 longest = 0;
    Int128 hops = 0;
    for (const NodeId v : net_.endpoints()) {
      if (v == end) continue;
      sum += ways[index(v)];
      longest = std::max<Int128>(longest, ways[index(v)]);
      hops += (backwards ? first_hop : last_hop)[index(v)];
    }
    return collective.flow() == Flow::kMove ? sum : std::max(longest, hops);
  };
  Int128 paid = 0;
  if (const Counts* counts = collective.counts()) {
    for (uint32_t r = 0; r < counts->num_ranks(); ++r) {
      if (counts->from(Rank{r}).empty()) continue;
      const std::vector<uint64_t> ways = prices_from(net_, from, price, net_.endpoint(Rank{r}));
      for (const Counts::Entry& e : counts->from(Rank{r}))
        paid += Int128{e.count} * ways[index(net_.endpoint(e.to))];
    }
  } else if (const std::optional<Rank> root = collective.root()) {
    paid = paid_at(net_.endpoint(*root));
  } else {
    for (const NodeId v : net_.endpoints()) {
      const Int128 here = paid_at(v);
      paid = collective.kind() == CollectiveKind::kAllreduce ? std::max(paid, here) : paid + here;
    }
  }
  // Of transfers one by one in their order: until somebody has everything, everybody else has sent; afterwards everybody
  // else receives.
  if (collective.kind() == CollectiveKind::kAllreduce) {
    Int128 sum = 0;
    Int128 most = 0;
    for (const NodeId v : net_.endpoints()) {
      const Int128 both = Int128{first_hop[index(v)]} + last_hop[index(v)];
      sum += both;
      most = std::max(most, both);
    }
    paid = std::max({paid, sum - most, paid_between_groups(net_, from, to, price)});
  }
  if (collective.flow() != Flow::kMove) paid = std::max(paid, paid_into_parts(problem_, price));
  if (collective.flow() == Flow::kMove && model_.duplex == Duplex::kFull)
    return proved_with_starved_routers(net_, of_links, paid * collective.pieces(), sold);
  return Rational::of(paid * collective.pieces(), sold);
}

}  // namespace quadrille
