#include "quadrille/verify/witnesses/proved_by.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "quadrille/collective/counts.h"
#include "quadrille/verify/witnesses/between.h"
#include "quadrille/verify/witnesses/crossings.h"
#include "quadrille/verify/witnesses/entered_parts.h"
#include "quadrille/verify/witnesses/ordered_worms.h"
#include "quadrille/verify/witnesses/part_spread.h"
#include "quadrille/verify/witnesses/refuted.h"
#include "quadrille/verify/witnesses/router_spread.h"
#include "quadrille/verify/witnesses/starved.h"
#include "quadrille/verify/witnesses/useful.h"

namespace quadrille {
namespace {

class Proof {
 public:
  explicit Proof(const Problem& problem)
      : problem_(problem),
        net_(problem.topology()),
        model_(problem.model()),
        leaving_(net_.num_nodes(), 0),
        entering_(net_.num_nodes(), 0) {
    for (const ArcId arc : net_.arcs()) {
      leaving_[index(net_.tail(arc))] += net_.capacity(arc);
      entering_[index(net_.head(arc))] += net_.capacity(arc);
    }
  }

  Rational operator()(const CutWitness& cut) const {
    if (!single_packets()) return 0;
    std::vector<uint32_t> side(net_.num_nodes(), 1);
    for (const NodeId v : cut.nodes) side[index(v)] = 0;
    Rational best = 0;
    uint64_t both = 0;
    for (const uint32_t into : {0U, 1U}) {
      std::vector<NodeId> tails;
      std::vector<NodeId> heads;
      for (const ArcId arc : net_.arcs()) {
        if (side[index(net_.tail(arc))] == into || side[index(net_.head(arc))] != into) continue;
        tails.push_back(net_.tail(arc));
        heads.push_back(net_.head(arc));
      }
      const std::vector<uint32_t> before = hops(std::move(tails), true);
      const std::vector<uint32_t> after = hops(std::move(heads), false);
      Crossings blocks;
      add_entering(problem_, {side, before, after}, into, blocks);
      best = std::max(best, blocks.steps(most_across(side, 1 - into)));
      both += blocks.blocks();
    }
    if (model_.duplex == Duplex::kHalf) best = std::max(best, over(both, links_across(side)));
    return best;
  }

  // The parts into which the others fall without the node.
  Rational operator()(const NodeWitness& at) const {
    if (!single_packets()) return 0;
    std::vector<uint32_t> part(net_.num_nodes(), kNoGroup);
    uint32_t parts = 0;
    std::vector<std::vector<NodeId>> near(net_.num_nodes());
    for (const ArcId arc : net_.arcs()) {
      near[index(net_.tail(arc))].push_back(net_.head(arc));
      near[index(net_.head(arc))].push_back(net_.tail(arc));
    }
    for (const NodeId start : net_.nodes()) {
      if (start == at.node || part[index(start)] != kNoGroup) continue;
      std::vector<NodeId> reached{start};
      part[index(start)] = parts;
      while (!reached.empty()) {
        const NodeId v = reached.back();
        reached.pop_back();
        for (const NodeId w : near[index(v)]) {
          if (w == at.node || part[index(w)] != kNoGroup) continue;
          part[index(w)] = parts;
          reached.push_back(w);
        }
      }
      ++parts;
    }
    // A block comes to the node, and goes on to a neighbour in the part; or comes from one, and goes on.
    const std::vector<uint32_t> to = hops({at.node}, true);
    const std::vector<uint32_t> on = hops({at.node}, false);
    std::vector<uint32_t> to_neighbour = to;
    std::vector<uint32_t> from_neighbour = on;
    for (auto* one_less : {&to_neighbour, &from_neighbour})
      for (uint32_t& h : *one_less) h -= std::min(h, 1U);
    // Copies have to be at all who want them.
    if (problem_.collective().flow() == Flow::kCopy) {
      const std::vector<uint32_t> spread = spread_in_parts(problem_, at.node, part, parts);
      for (const NodeId v : net_.nodes())
        if (v != at.node)
          from_neighbour[index(v)] = std::max(from_neighbour[index(v)], spread[part[index(v)]]);
    }
    Crossings sends;
    add_entering_each(problem_, {part, to, from_neighbour}, parts, sends);
    Crossings receives;
    add_leaving_each(problem_, {part, to_neighbour, on}, parts, receives);
    return std::max(sends.steps(starts(at.node)), receives.steps(ends(at.node)));
  }

  Rational operator()(const InformedWitness& from) const;
  Rational operator()(const WeightsWitness& weights) const;

  Rational operator()(const RefutationWitness& refutation) const {
    const bool fits = packets() && problem_.collective().kind() == CollectiveKind::kBroadcast &&
                      model_.send == kOnePort && !net_.has_routers();
    if (!fits || !refutes_broadcast(net_, net_.endpoint(*problem_.collective().root()), refutation)) return 0;
    // Of several pieces the last one leaves the root so much later.
    return Rational(int64_t{refutation.steps} + (single_packets() ? problem_.collective().pieces() : 1));
  }

  // What reaches an endpoint of the largest time while it is on the far side has crossed before: all pieces, or what is for such endpoints.
  Rational operator()(const TimesWitness& cut) const {
    const CollectiveKind kind = problem_.collective().kind();
    const bool each = kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather;
    const bool backwards = kind == CollectiveKind::kReduce || kind == CollectiveKind::kGather;
    if (!single_packets() || (!each && !backwards && kind != CollectiveKind::kBroadcast)) return 0;
    const std::vector<uint32_t>& times = cut.times;
    if (times[index(net_.endpoint(*problem_.collective().root()))] != 0) return 0;
    Int128 crossing = 0;
    for (const ArcId arc : net_.arcs()) {
      const int64_t from = times[index(backwards ? net_.head(arc) : net_.tail(arc))];
      const int64_t to = times[index(backwards ? net_.tail(arc) : net_.head(arc))];
      crossing += Int128{net_.capacity(arc)} * std::max<int64_t>(0, to - from - 1);
    }
    uint32_t latest = 0;
    for (const NodeId v : net_.endpoints()) latest = std::max(latest, times[index(v)]);
    int64_t last = 0;
    for (const NodeId v : net_.endpoints()) last += latest > 0 && times[index(v)] == latest ? 1 : 0;
    if (crossing >= Int128{problem_.collective().pieces()} * (each ? last : 1)) return 0;
    return latest;
  }
  Rational operator()(const BetweenWitness& among) const {
    return single_packets() ? proved_between(problem_, among) : Rational(0);
  }

  Rational operator()(const SendsWitness& sends) const {
    return single_packets() ? Rational(static_cast<int64_t>(proved_by_useful_sends(problem_, sends)))
                            : Rational(0);
  }

  Rational operator()(const OrderWitness& order) const {
    return Rational(static_cast<int64_t>(ordered_worm_steps(problem_, order)));
  }

 private:
  static Rational over(uint64_t blocks, uint64_t in_a_step) {
    return blocks == 0 || in_a_step == 0 ? Rational(0) : Rational::of(blocks, in_a_step);
  }
  // From the nearest of some nodes, or to it; 0 where there is no way, and nothing to prove.
  [[nodiscard]] std::vector<uint32_t> hops(std::vector<NodeId> wave, bool backwards) const {
    std::vector<uint32_t> out(net_.num_nodes(), 0);
    std::vector<char> seen(net_.num_nodes(), 0);
    std::vector<std::vector<NodeId>> next(net_.num_nodes());
    for (const ArcId arc : net_.arcs())
      next[index(backwards ? net_.head(arc) : net_.tail(arc))].push_back(backwards ? net_.tail(arc)
                                                                                   : net_.head(arc));
    for (uint32_t distance = 0; !wave.empty(); ++distance) {
      std::vector<NodeId> beyond;
      for (const NodeId v : wave) {
        if (seen[index(v)] != 0) continue;
        seen[index(v)] = 1;
        out[index(v)] = distance;
        beyond.insert(beyond.end(), next[index(v)].begin(), next[index(v)].end());
      }
      wave = std::move(beyond);
    }
    return out;
  }
  // Of the blocks that a rank has, or that are for it: how far the farthest goes, and how soon so many others can have
  // been informed, or heard from.
  [[nodiscard]] Rational by_blocks_of(const Counts& counts, Rank rank) const {
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
  // Steps until a node and so many others know, if each of them tells so many more in a step.
  [[nodiscard]] static uint64_t growing(uint64_t others, uint64_t a_step) {
    uint64_t steps = 0;
    for (uint64_t known = 1; known < others + 1 && a_step > 0; known *= a_step + 1) ++steps;
    return steps;
  }
  // What is known at a node spreads, or to a node comes together.
  [[nodiscard]] uint64_t spreading(const InformedWitness& from, bool backwards) const;
  [[nodiscard]] uint64_t spreading_in_tree(NodeId root, bool backwards) const;
  [[nodiscard]] uint64_t spreading_at_best(NodeId root, bool backwards) const;
  // A transfer takes one arc; and it carries one block.
  [[nodiscard]] bool packets() const { return model_.switching == Switching::kPacket; }
  [[nodiscard]] bool single_packets() const { return packets() && model_.packets == Packets::kOne; }
  // Whom a node can send to in a step: neighbours, as many as there are channels, or anybody.
  [[nodiscard]] uint64_t ways_from(uint64_t neighbours, uint64_t channels) const {
    if (model_.switching == Switching::kShared) return net_.num_nodes() - 1;
    return packets() ? neighbours : channels;
  }
  static uint64_t no_more_than(Ports ports, uint64_t number) {
    return ports.unlimited() ? number : std::min<uint64_t>(number, ports.count);
  }
  [[nodiscard]] uint64_t starts(NodeId v) const { return no_more_than(model_.send, leaving_[index(v)]); }
  [[nodiscard]] uint64_t ends(NodeId v) const { return no_more_than(model_.receive, entering_[index(v)]); }

  // Transfers of a step from the nodes of a side to the others: no more than links, senders, or receivers
  // allow.
  [[nodiscard]] uint64_t most_across(const std::vector<uint32_t>& side, uint32_t from) const {
    std::map<NodeId, uint64_t> senders;
    std::map<NodeId, uint64_t> receivers;
    uint64_t links = 0;
    for (const ArcId arc : net_.arcs()) {
      if (side[index(net_.tail(arc))] != from || side[index(net_.head(arc))] == from) continue;
      links += net_.capacity(arc);
      senders[net_.tail(arc)] += net_.capacity(arc);
      receivers[net_.head(arc)] += net_.capacity(arc);
    }
    uint64_t sent = 0;
    uint64_t received = 0;
    for (const auto& [v, capacity] : senders) sent += no_more_than(model_.send, capacity);
    for (const auto& [v, capacity] : receivers) received += no_more_than(model_.receive, capacity);
    return std::min({links, sent, received});
  }
  // Half duplex: a link goes one way in a step.
  [[nodiscard]] uint64_t links_across(const std::vector<uint32_t>& side) const {
    std::map<std::pair<NodeId, NodeId>, uint64_t> links;
    for (const ArcId arc : net_.arcs()) {
      const NodeId tail = net_.tail(arc);
      const NodeId head = net_.head(arc);
      if (side[index(tail)] == side[index(head)]) continue;
      uint64_t& most = links[std::minmax(tail, head)];
      most = std::max<uint64_t>(most, net_.capacity(arc));
    }
    uint64_t sum = 0;
    for (const auto& [ends, capacity] : links) sum += capacity;
    return sum;
  }

  const Problem& problem_;
  const Topology& net_;
  const Model& model_;
  std::vector<uint64_t> leaving_;
  std::vector<uint64_t> entering_;
};

constexpr uint64_t kMostWork = 1'000'000'000;

// --- who can have heard of whom ---------------------------------------------------------------------------

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

// --- weights ----------------------------------------------------------------------------------------------

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

}  // namespace

Rational proved_by(const Problem& problem, const BoundWitness& witness) {
  if (problem.collective().num_ranks() < 2) return 0;
  return std::visit(Proof(problem), witness);
}

}  // namespace quadrille
