// Who can have heard of whom: what an InformedWitness proves.

#include <algorithm>
#include <functional>
#include <set>

#include "quadrille/verify/witnesses/proof.h"
#include "quadrille/verify/witnesses/router_spread.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostWork = 1'000'000'000;

// Hops from a node over the arcs as they are, or backwards.
std::vector<uint32_t> hops_from(const std::vector<std::vector<NodeId>>& next, NodeId from) {
  std::vector<uint32_t> hops(next.size(), UINT32_MAX);
  std::vector<NodeId> wave{from};
  for (uint32_t distance = 0; !wave.empty(); ++distance) {
    std::vector<NodeId> beyond;
    for (const NodeId v : wave) {
      if (hops[index(v)] != UINT32_MAX) continue;
      hops[index(v)] = distance;
      beyond.insert(beyond.end(), next[index(v)].begin(), next[index(v)].end());
    }
    wave = std::move(beyond);
  }
  return hops;
}

}  // namespace

Rational Proof::operator()(const InformedWitness& from) const {
  const Collective& collective = problem_.collective();
  const bool only_hears =
      collective.kind() == CollectiveKind::kGather || collective.kind() == CollectiveKind::kReduce;
  const std::optional<Rank> rank = net_.rank(from.node);
  if (!rank || (collective.root() && collective.root() != rank)) return 0;
  if (const Counts* counts = collective.counts()) return by_blocks_of(*counts, *rank);
  uint64_t steps = spreading(from, only_hears);
  if (!collective.root()) steps = std::max(steps, spreading(from, true));  // it hears from all, too
  return Rational(static_cast<int64_t>(steps));
}

// In a tree everybody hears of it from the neighbour towards the root, and tells all others: best the one first whose
// subtree takes longest. 0 where the network is none.
uint64_t Proof::spreading_in_tree(NodeId root, bool backwards) const {
  if (net_.is_directed() || net_.num_arcs() != 2 * (size_t{net_.num_nodes()} - 1)) return 0;
  const Ports ports = backwards ? model_.receive : model_.send;
  std::vector<NodeId> order{root};
  std::vector<NodeId> parent(net_.num_nodes(), root);
  for (size_t i = 0; i < order.size(); ++i) {
    for (const ArcId arc : net_.arcs_from(order[i])) {
      const NodeId next = net_.head(arc);
      if (next == parent[index(order[i])]) continue;
      parent[index(next)] = order[i];
      order.push_back(next);
    }
  }
  std::vector<std::vector<uint64_t>> below(net_.num_nodes());  // steps of each subtree
  uint64_t steps = 0;
  for (size_t i = order.size(); i-- > 0;) {
    std::vector<uint64_t>& children = below[index(order[i])];
    std::ranges::sort(children, std::greater<>());
    steps = 0;
    for (size_t place = 0; place < children.size(); ++place)
      steps = std::max(steps, (ports.unlimited() ? 1 : place / ports.count + 1) + children[place]);
    if (i > 0 && (net_.rank(order[i]) || !children.empty()))
      below[index(parent[index(order[i])])].push_back(steps);
  }
  return steps;
}

// If whoever can inform most others comes first.
uint64_t Proof::spreading_at_best(NodeId root, bool backwards) const {
  const Ports ports = backwards ? model_.receive : model_.send;
  const auto most_of = [&](NodeId v) {
    const uint64_t channels = (backwards ? entering_ : leaving_)[index(v)];
    return no_more_than(ports, model_.switching == Switching::kShared ? net_.num_nodes() - 1 : channels);
  };
  std::vector<uint64_t> others;
  for (const NodeId v : net_.nodes())
    if (v != root) others.push_back(most_of(v));
  std::ranges::sort(others, std::greater<>());
  uint64_t steps = 0;
  uint64_t informed = 0;
  for (uint64_t a_step = most_of(root); informed + 1 < net_.num_endpoints() && a_step > 0; ++steps) {
    const uint64_t now = std::min<uint64_t>(others.size(), informed + a_step);
    for (; informed < now; ++informed) a_step += others[informed];
  }
  return steps;
}

uint64_t Proof::spreading(const InformedWitness& from, bool backwards) const {
  const Collective& collective = problem_.collective();
  const Ports ports = backwards ? model_.receive : model_.send;
  const std::vector<uint64_t>& arcs_at = backwards ? entering_ : leaving_;
  std::vector<std::vector<NodeId>> next(net_.num_nodes());
  std::vector<std::set<NodeId>> before(net_.num_nodes());
  for (const ArcId arc : net_.arcs()) {
    const NodeId a = backwards ? net_.head(arc) : net_.tail(arc);
    const NodeId b = backwards ? net_.tail(arc) : net_.head(arc);
    next[index(a)].push_back(b);
    before[index(b)].insert(a);
  }

  // How many a node can inform in its life, and in a step. A worm goes anywhere; a packet to a neighbour, and
  // one of these has informed the node.
  uint64_t at_first = next[index(from.node)].size();
  uint64_t later = 0;
  uint64_t a_step = 0;
  for (const NodeId v : net_.nodes()) {
    a_step = std::max(a_step, no_more_than(ports, ways_from(next[index(v)].size(), arcs_at[index(v)])));
    if (v == from.node) continue;
    const std::set<NodeId> after(next[index(v)].begin(), next[index(v)].end());
    const bool informer_is_one_of_them = std::ranges::includes(after, before[index(v)]);
    later = std::max<uint64_t>(later, after.size() - (informer_is_one_of_them && !after.empty() ? 1 : 0));
  }
  if (!packets()) at_first = later = net_.num_nodes();

  const std::vector<uint32_t> hops = hops_from(next, from.node);
  const uint32_t least = packets() ? std::max(from.hops, 1U) : 1;
  const auto wanted = static_cast<uint64_t>(std::ranges::count_if(net_.endpoints(), [&](NodeId v) {
    return v != from.node && hops[index(v)] >= least && hops[index(v)] != UINT32_MAX;
  }));
  // informed[t][l]: how many can be informed in step t, and not before, over l transfers in a row.
  std::vector<std::vector<uint64_t>> informed{{1}};
  uint64_t reached = 0;
  uint64_t work = 0;
  while (reached < wanted) {
    const size_t t = informed.size();
    // Where that takes too long there is still that nobody is informed sooner than over so many hops.
    work += t * std::min<uint64_t>(t, std::max(at_first, later) / std::max<uint64_t>(a_step, 1) + 1);
    if (work > kMostWork) return least;
    if (const size_t rows = std::max(at_first, later) / std::max<uint64_t>(a_step, 1) + 2; t > rows)
      informed[t - rows - 1] = {};  // nobody who was informed then informs others now
    std::vector<uint64_t> now(t + 1, 0);
    for (size_t l = 1; l <= t; ++l) {
      // Its first a_step children hear of it a step later, the next ones two steps later, and so on.
      uint64_t left = l == 1 ? at_first : later;
      for (size_t ago = 1; ago <= t && left > 0; ++ago) {
        const uint64_t children = std::min(left, a_step);
        left -= children;
        if (l - 1 < informed[t - ago].size())
          now[l] += std::min<uint64_t>(children * informed[t - ago][l - 1], net_.num_nodes());
      }
      now[l] = std::min<uint64_t>(now[l], net_.num_nodes());
      if (l >= least) reached += now[l];
    }
    informed.push_back(std::move(now));
  }
  uint64_t steps = informed.size() - 1;
  if (wanted > 0) {
    steps = std::max(steps, spreading_at_best(from.node, backwards));
    if (packets()) steps = std::max(steps, spread_through_routers(problem_, from.node, backwards));
  }
  // Of several pieces the last one leaves the root no sooner.
  if (packets() && wanted > 0 &&
      (collective.kind() == CollectiveKind::kBroadcast || collective.kind() == CollectiveKind::kReduce)) {
    steps = std::max(steps, spreading_in_tree(from.node, backwards));
    if (!single_packets()) return steps;
    steps += (collective.pieces() - 1) / no_more_than(ports, arcs_at[index(from.node)]);
  }
  return steps;
}

Rational Proof::by_blocks_of(const Counts& counts, Rank rank) const {
  uint64_t receivers = 0;
  uint64_t senders = 0;
  uint32_t farthest = 0;
  const std::vector<uint32_t> on = hops({net_.endpoint(rank)}, false);
  const std::vector<uint32_t> to = hops({net_.endpoint(rank)}, true);
  for (const Counts::Entry& e : counts.entries()) {
    if (e.from == e.to) continue;
    if (e.from == rank) {
      ++receivers;
      farthest = std::max(farthest, on[index(net_.endpoint(e.to))]);
    }
    if (e.to == rank) {
      ++senders;
      farthest = std::max(farthest, to[index(net_.endpoint(e.from))]);
    }
  }
  uint64_t sends = 0;
  uint64_t receives = 0;
  for (const NodeId v : net_.nodes()) {
    const bool anywhere = model_.switching == Switching::kShared;
    const uint64_t others = net_.num_nodes() - 1;
    sends = std::max(sends, no_more_than(model_.send, anywhere ? others : leaving_[index(v)]));
    receives = std::max(receives, no_more_than(model_.receive, anywhere ? others : entering_[index(v)]));
  }
  const uint64_t steps = std::max(growing(receivers, sends), growing(senders, receives));
  return Rational(static_cast<int64_t>(std::max<uint64_t>(steps, packets() ? farthest : 0)));
}

uint64_t Proof::growing(uint64_t others, uint64_t a_step) {
  uint64_t steps = 0;
  for (uint64_t known = 1; known < others + 1 && a_step > 0; known *= a_step + 1) ++steps;
  return steps;
}

}  // namespace quadrille
