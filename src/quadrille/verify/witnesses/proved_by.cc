#include "quadrille/verify/witnesses/proved_by.h"

#include <algorithm>
#include <map>

#include "quadrille/collective/counts.h"
#include "quadrille/verify/witnesses/between.h"
#include "quadrille/verify/witnesses/crossings.h"
#include "quadrille/verify/witnesses/entered_parts.h"
#include "quadrille/verify/witnesses/ordered_worms.h"
#include "quadrille/verify/witnesses/part_spread.h"
#include "quadrille/verify/witnesses/proof.h"
#include "quadrille/verify/witnesses/refuted.h"
#include "quadrille/verify/witnesses/useful.h"

namespace quadrille {

Proof::Proof(const Problem& problem)
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

Rational Proof::operator()(const CutWitness& cut) const {
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

Rational Proof::operator()(const NodeWitness& at) const {
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
      if (v != at.node) from_neighbour[index(v)] = std::max(from_neighbour[index(v)], spread[part[index(v)]]);
  }
  Crossings sends;
  add_entering_each(problem_, {part, to, from_neighbour}, parts, sends);
  Crossings receives;
  add_leaving_each(problem_, {part, to_neighbour, on}, parts, receives);
  return std::max(sends.steps(starts(at.node)), receives.steps(ends(at.node)));
}

Rational Proof::operator()(const RefutationWitness& refutation) const {
  const bool fits = packets() && problem_.collective().kind() == CollectiveKind::kBroadcast &&
                    model_.send == kOnePort && !net_.has_routers();
  if (!fits || !refutes_broadcast(net_, net_.endpoint(*problem_.collective().root()), refutation)) return 0;
  // Of several pieces the last one leaves the root so much later.
  return Rational(int64_t{refutation.steps} + (single_packets() ? problem_.collective().pieces() : 1));
}

Rational Proof::operator()(const TimesWitness& cut) const {
  const CollectiveKind kind = problem_.collective().kind();
  const bool each = kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather;
  const bool backwards = kind == CollectiveKind::kReduce || kind == CollectiveKind::kGather;
  const Counts* counts = problem_.collective().counts();
  const bool rooted = each || backwards || kind == CollectiveKind::kBroadcast;
  if (!single_packets() || (!rooted && counts == nullptr)) return 0;
  const std::vector<uint32_t>& times = cut.times;
  if (rooted && times[index(net_.endpoint(*problem_.collective().root()))] != 0) return 0;
  Int128 crossing = 0;
  for (const ArcId arc : net_.arcs()) {
    const int64_t from = times[index(backwards ? net_.head(arc) : net_.tail(arc))];
    const int64_t to = times[index(backwards ? net_.tail(arc) : net_.head(arc))];
    crossing += Int128{net_.capacity(arc)} * std::max<int64_t>(0, to - from - 1);
  }
  uint32_t latest = 0;
  for (const NodeId v : net_.endpoints()) latest = std::max(latest, times[index(v)]);
  if (counts != nullptr) {
    // Of those who count as near from the start.
    Int128 owed = 0;
    for (const Counts::Entry& entry : counts->entries()) {
      const bool from_the_start = times[index(net_.endpoint(entry.from))] == 0;
      if (from_the_start && latest > 0 && times[index(net_.endpoint(entry.to))] == latest)
        owed += entry.count;
    }
    return crossing >= owed ? 0 : latest;
  }
  int64_t last = 0;
  for (const NodeId v : net_.endpoints()) last += latest > 0 && times[index(v)] == latest ? 1 : 0;
  if (crossing >= Int128{problem_.collective().pieces()} * (each ? last : 1)) return 0;
  return latest;
}

Rational Proof::operator()(const BetweenWitness& among) const {
  return single_packets() ? proved_between(problem_, among) : Rational(0);
}

Rational Proof::operator()(const SendsWitness& sends) const {
  return single_packets() ? Rational(static_cast<int64_t>(proved_by_useful_sends(problem_, sends)))
                          : Rational(0);
}

Rational Proof::operator()(const OrderWitness& order) const {
  return Rational(static_cast<int64_t>(ordered_worm_steps(problem_, order)));
}

Rational Proof::over(uint64_t blocks, uint64_t in_a_step) {
  return blocks == 0 || in_a_step == 0 ? Rational(0) : Rational::of(blocks, in_a_step);
}

std::vector<uint32_t> Proof::hops(std::vector<NodeId> wave, bool backwards) const {
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

uint64_t Proof::ways_from(uint64_t neighbours, uint64_t channels) const {
  if (model_.switching == Switching::kShared) return net_.num_nodes() - 1;
  return packets() ? neighbours : channels;
}

uint64_t Proof::no_more_than(Ports ports, uint64_t number) {
  return ports.unlimited() ? number : std::min<uint64_t>(number, ports.count);
}

uint64_t Proof::most_across(const std::vector<uint32_t>& side, uint32_t from) const {
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

uint64_t Proof::links_across(const std::vector<uint32_t>& side) const {
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

Rational proved_by(const Problem& problem, const BoundWitness& witness) {
  if (problem.collective().num_ranks() < 2) return 0;
  return std::visit(Proof(problem), witness);
}

}  // namespace quadrille
