// Useful sends: what all nodes together can send that brings somebody a block for the first time.
//
// In a broadcast or an allgather every other endpoint receives each piece once at least, and so does every router that alone
// leads to one, or away from where the piece is. Such a transfer is of use only if it goes to a neighbour who has not got the
// piece, so a node makes one for each of its neighbours, but for the one from whom it has the piece itself: a host that hangs
// on one link makes none but of its own. It starts when it has been reached, over so many hops and, of a broadcast, from nodes
// that have been reached before; and it sends so many a step. A reduce and a reduce_scatter are the same backwards: what
// counts is who brings a contribution to whom.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::bounds {

extern const BoundCard useful_sends;

namespace useful_sends_parts {
namespace {

constexpr uint64_t kMostCounted = 20'000'000;  // nodes looked at for all origins together

// A network as the pieces see it: arcs turned round for a reduction.
struct Ways {
  Ways(const Topology& topology, bool backwards) : to(topology.num_nodes()), from(topology.num_nodes()) {
    for (const ArcId arc : topology.arcs()) {
      const NodeId tail = backwards ? topology.head(arc) : topology.tail(arc);
      const NodeId head = backwards ? topology.tail(arc) : topology.head(arc);
      to[index(tail)].push_back(head);
      from[index(head)].push_back(tail);
    }
    for (std::vector<NodeId>& heads : to) std::sort(heads.begin(), heads.end());
    for (std::vector<NodeId>& tails : from) std::sort(tails.begin(), tails.end());
  }
  // Neighbours to whom a node can bring a piece that came from one of those who lead to it.
  [[nodiscard]] uint64_t onwards(NodeId v) const {
    const bool comes_from_one =
        !from[index(v)].empty() &&
        std::includes(to[index(v)].begin(), to[index(v)].end(), from[index(v)].begin(), from[index(v)].end());
    return to[index(v)].size() - (comes_from_one ? 1 : 0);
  }

  std::vector<std::vector<NodeId>> to;
  std::vector<std::vector<NodeId>> from;
};

std::shared_ptr<const Ways> ways_of(const Topology& topology, bool backwards) {
  static LastAnswers<bool, std::shared_ptr<const Ways>> kept(4);
  return kept.of(topology, backwards, [&] { return std::make_shared<const Ways>(topology, backwards); });
}

// Nodes besides its origin that a piece must come to: endpoints, and who alone leads to one of these, or from there.
uint64_t receivers(const Topology& topology, const Ways& ways, NodeId origin) {
  std::vector<char> known(topology.num_nodes(), 0);
  known[index(origin)] = 1;
  std::vector<NodeId> needed;
  const auto need = [&](NodeId v) {
    if (known[index(v)] != 0) return;
    known[index(v)] = 1;
    needed.push_back(v);
  };
  for (const NodeId v : topology.endpoints()) need(v);
  if (ways.to[index(origin)].size() == 1) need(ways.to[index(origin)].front());
  for (size_t i = 0; i < needed.size(); ++i)
    if (const std::vector<NodeId>& tails = ways.from[index(needed[i])]; tails.size() == 1)
      need(tails.front());
  return needed.size();
}

// Who has pieces, and which way they go.
struct Spreading {
  std::vector<NodeId> origins;
  bool backwards = false;
};

std::optional<Spreading> as_spreading(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const bool adds_up = kind == CollectiveKind::kReduce || kind == CollectiveKind::kReduceScatter;
  if (!adds_up && kind != CollectiveKind::kBroadcast && kind != CollectiveKind::kAllgather)
    return std::nullopt;
  if (!sends_single_packets(problem.model()) || problem.collective().num_ranks() < 2) return std::nullopt;
  if (const std::optional<Rank> root = problem.collective().root())
    return Spreading{{topology.endpoint(*root)}, adds_up};
  if (uint64_t{topology.num_nodes()} * topology.num_endpoints() > kMostCounted) return std::nullopt;
  return Spreading{{topology.endpoints().begin(), topology.endpoints().end()}, adds_up};
}

struct Sender {
  uint64_t a_step = 0;
  uint64_t in_all = 0;
};

// Rounds that each of many pieces takes: start-ups count for nothing there. Whoever has sent all that it may stops, the others go on.
std::optional<Rational> rounds_for(std::vector<Sender> senders, uint64_t receptions) {
  std::ranges::sort(senders, [](const Sender& a, const Sender& b) {
    return Int128{a.in_all} * b.a_step < Int128{b.in_all} * a.a_step;
  });
  uint64_t a_step = 0;
  for (const Sender& sender : senders) a_step += sender.a_step;
  uint64_t left = receptions;
  for (const Sender& sender : senders) {
    if (Int128{left} * sender.a_step <= Int128{sender.in_all} * a_step) return Rational::of(left, a_step);
    left -= std::min(left, sender.in_all);
    a_step -= sender.a_step;
  }
  return std::nullopt;
}

class Senders {
 public:
  Senders(const Problem& problem, const Spreading& spread, const Ways& ways) {
    const Topology& topology = problem.topology();
    const uint64_t pieces = problem.collective().pieces();
    const NodeCapacities capacities = node_capacities(topology);
    const std::vector<uint64_t>& links = spread.backwards ? capacities.in : capacities.out;
    const Ports ports = spread.backwards ? problem.model().receive : problem.model().send;
    const std::vector<uint64_t> hops_to = hops(spread, ways);
    std::vector<uint64_t> own(topology.num_nodes(), 0);
    for (const NodeId v : spread.origins) own[index(v)] = pieces;
    std::vector<uint64_t> hops;
    for (const NodeId v : topology.nodes()) {
      const uint64_t a_step = limited(ports, links[index(v)]);
      const uint64_t passed_on = pieces * spread.origins.size() - own[index(v)];
      const Sender sender{a_step, own[index(v)] * ways.to[index(v)].size() + passed_on * ways.onwards(v)};
      if (sender.in_all == 0 || hops_to[index(v)] == kUnreached) continue;
      if (hops_to[index(v)] == 0) {
        at_once_.push_back(sender);
        continue;
      }
      later_.push_back(sender);
      hops.push_back(hops_to[index(v)]);
    }
    std::sort(hops.begin(), hops.end());
    start(hops);
  }

  [[nodiscard]] std::vector<Sender> all() const {
    std::vector<Sender> out = at_once_;
    out.insert(out.end(), later_.begin(), later_.end());
    return out;
  }
  [[nodiscard]] uint64_t number() const { return at_once_.size() + later_.size(); }
  // By all, in so many steps. Whoever may send most is taken to have been reached first, which is the most there can be.
  [[nodiscard]] uint64_t sent(uint64_t steps) const {
    uint64_t sum = 0;
    for (const Sender& sender : at_once_) sum += std::min(sender.a_step * steps, sender.in_all);
    std::vector<uint64_t> most;
    for (const Sender& sender : later_) most.push_back(std::min(sender.a_step * steps, sender.in_all));
    std::sort(most.begin(), most.end(), std::greater<>());
    for (size_t i = 0; i < most.size() && starts_[i] < steps; ++i)
      sum += std::min(fastest_ * (steps - starts_[i]), most[i]);
    return sum;
  }

 private:
  static constexpr uint64_t kUnreached = UINT64_MAX;

  // From the nearest origin.
  static std::vector<uint64_t> hops(const Spreading& spread, const Ways& ways) {
    std::vector<uint64_t> out(ways.to.size(), kUnreached);
    std::vector<NodeId> reached = spread.origins;
    for (const NodeId v : reached) out[index(v)] = 0;
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const NodeId w : ways.to[index(reached[i])]) {
        if (out[index(w)] != kUnreached) continue;
        out[index(w)] = out[index(reached[i])] + 1;
        reached.push_back(w);
      }
    }
    return out;
  }
  // No sooner than it is hops away, and than as many as have been reached can have reached so many more.
  void start(const std::vector<uint64_t>& hops) {
    uint64_t first = 0;
    for (const Sender& sender : at_once_) first += sender.a_step;
    for (const Sender& sender : later_) fastest_ = std::max(fastest_, sender.a_step);
    uint64_t step = 0;
    uint64_t room = 0;  // for those who have been reached by then
    for (size_t i = 0; i < hops.size(); ++i) {
      while (room < i + 1 || step < hops[i]) {
        ++step;
        room += first + i * fastest_;
      }
      starts_.push_back(step);
    }
  }

  std::vector<Sender> at_once_;
  std::vector<Sender> later_;
  std::vector<uint64_t> starts_;  // the step after which the first of these can send, the second, ..
  uint64_t fastest_ = 0;          // of these, in a step
};

// Files number steps in 32 bits.
std::optional<BoundWitness> witness_of(uint64_t too_few) {
  if (too_few > UINT32_MAX) return std::nullopt;
  return SendsWitness{static_cast<uint32_t>(too_few)};
}

uint64_t receptions_of(const Problem& problem, const Spreading& spread, const Ways& ways) {
  uint64_t out = 0;
  for (const NodeId origin : spread.origins)
    out += receivers(problem.topology(), ways, origin) * problem.collective().pieces();
  return out;
}

std::optional<Rational> of_each(const Problem& problem) {
  const std::optional<Spreading> spread = as_spreading(problem);
  if (!spread) return std::nullopt;
  const std::shared_ptr<const Ways> kept = ways_of(problem.topology(), spread->backwards);
  const Ways& ways = *kept;
  return rounds_for(Senders(problem, *spread, ways).all(), receptions_of(problem, *spread, ways));
}

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Spreading> spread = as_spreading(problem);
  if (!spread) return std::nullopt;
  const std::shared_ptr<const Ways> kept = ways_of(problem.topology(), spread->backwards);
  const Ways& ways = *kept;
  const uint64_t receptions = receptions_of(problem, *spread, ways);
  const Senders senders(problem, *spread, ways);
  uint64_t enough = 1;
  while (senders.sent(enough) < receptions) {
    if (enough > 2 * receptions + problem.topology().num_nodes()) return std::nullopt;
    enough *= 2;
  }
  uint64_t too_few = enough / 2;
  while (too_few + 1 < enough) {
    const uint64_t middle = (too_few + enough) / 2;
    (senders.sent(middle) < receptions ? too_few : enough) = middle;
  }
  if (enough < 2) return std::nullopt;
  return Bound{useful_sends.name, Rational(static_cast<int64_t>(enough)),
               fmt::format("{} transfers at least bring {} to all, and {} {} no more than {} of use in {}",
                           with_thousands(receptions),
                           plural(problem.collective().pieces() * spread->origins.size(), "piece"),
                           plural(senders.number(), "node"), spread->backwards ? "hear" : "make",
                           with_thousands(senders.sent(enough - 1)), plural(enough - 1, "step")),
               BoundOn::kSteps, witness_of(enough - 1)};
}

}  // namespace
}  // namespace useful_sends_parts

constinit const BoundCard useful_sends = {
    .name = "useful_sends",
    .summary =
        "transfers that bring a block to somebody who lacks it, over what the nodes on the way can send",
    .source = "counting; ours",
    .evaluate = useful_sends_parts::evaluate,
    .of_each = useful_sends_parts::of_each,
};

}  // namespace quadrille::bounds
