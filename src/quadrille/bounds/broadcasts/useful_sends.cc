// Useful sends: what all nodes together can send that brings somebody a piece for the first time.
//
// Of a broadcast in P pieces every other endpoint, and every router that alone leads to one, receives each piece once at least.
// Such a transfer is of use only if it goes to a neighbour who has not got the piece, so a node makes P of them for each of its
// neighbours, but for the one from whom it has the piece itself: a host that hangs on one link makes none. It starts when it
// has been reached, over so many hops and from nodes that have been reached before; and it sends so many a step. A reduction is
// the same backwards: what counts is who brings a contribution to whom.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/bounds/dissemination.h"

namespace quadrille::bounds {

extern const BoundCard useful_sends;

namespace useful_sends_parts {
namespace {

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

// Nodes besides the root that every piece must come to: endpoints, and who alone leads to one of these.
uint64_t receivers(const Topology& topology, const Ways& ways, NodeId root) {
  std::vector<char> known(topology.num_nodes(), 0);
  known[index(root)] = 1;
  std::vector<NodeId> needed;
  const auto need = [&](NodeId v) {
    if (known[index(v)] != 0) return;
    known[index(v)] = 1;
    needed.push_back(v);
  };
  for (const NodeId v : topology.endpoints()) need(v);
  for (size_t i = 0; i < needed.size(); ++i)
    if (const std::vector<NodeId>& tails = ways.from[index(needed[i])]; tails.size() == 1)
      need(tails.front());
  return needed.size();
}

struct Sender {
  uint64_t a_step = 0;
  uint64_t in_all = 0;
};

class Senders {
 public:
  Senders(const Problem& problem, const Dissemination& spread, const Ways& ways) {
    const Topology& topology = problem.topology();
    const uint64_t pieces = problem.collective().pieces();
    const NodeCapacities capacities = node_capacities(topology);
    const std::vector<uint64_t>& links = spread.backwards ? capacities.in : capacities.out;
    std::vector<uint64_t> hops;
    for (const NodeId v : topology.nodes()) {
      const uint64_t a_step = limited(spread.ports, links[index(v)]);
      if (v == spread.root) {
        root_ = {a_step, pieces * ways.to[index(v)].size()};
        continue;
      }
      const uint64_t in_all = pieces * ways.onwards(v);
      if (in_all == 0 || spread.hops[index(v)] == kUnreached) continue;
      others_.push_back({a_step, in_all});
      hops.push_back(spread.hops[index(v)]);
    }
    std::sort(hops.begin(), hops.end());
    start(hops);
  }

  [[nodiscard]] uint64_t relays() const { return others_.size(); }
  // By all, in so many steps. Whoever may send most is taken to have been reached first, which is the most there can be.
  [[nodiscard]] uint64_t sent(uint64_t steps) const {
    std::vector<uint64_t> most;
    for (const Sender& sender : others_) most.push_back(std::min(sender.a_step * steps, sender.in_all));
    std::sort(most.begin(), most.end(), std::greater<>());
    uint64_t sum = std::min(root_.a_step * steps, root_.in_all);
    for (size_t i = 0; i < most.size() && starts_[i] < steps; ++i)
      sum += std::min(fastest_ * (steps - starts_[i]), most[i]);
    return sum;
  }

 private:
  static constexpr uint32_t kUnreached = UINT32_MAX;

  // No sooner than it is hops away, and than as many as have been reached can have reached so many more.
  void start(const std::vector<uint64_t>& hops) {
    for (const Sender& sender : others_) fastest_ = std::max(fastest_, sender.a_step);
    uint64_t step = 0;
    uint64_t room = 0;  // for those who have been reached by then
    for (size_t i = 0; i < hops.size(); ++i) {
      while (room < i + 1 || step < hops[i]) {
        ++step;
        room += root_.a_step + i * fastest_;
      }
      starts_.push_back(step);
    }
  }

  Sender root_{};
  std::vector<Sender> others_;
  std::vector<uint64_t> starts_;  // the step after which the first of them can send, the second, ..
  uint64_t fastest_ = 0;
};

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread || !sends_single_packets(problem.model()) || spread->hops.empty()) return std::nullopt;
  const Ways ways(problem.topology(), spread->backwards);
  const uint64_t receptions =
      receivers(problem.topology(), ways, spread->root) * problem.collective().pieces();
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
  return Bound{
      useful_sends.name, Rational(static_cast<int64_t>(enough)),
      fmt::format("{} transfers at least take {} everywhere, and {} and {} {} no more than {} of use in {}",
                  with_thousands(receptions), plural(problem.collective().pieces(), "piece"),
                  problem.topology().label(spread->root), plural(senders.relays(), "node"),
                  spread->backwards ? "hear" : "make", with_thousands(senders.sent(enough - 1)),
                  plural(enough - 1, "step"))};
}

}  // namespace
}  // namespace useful_sends_parts

constinit const BoundCard useful_sends = {
    .name = "useful_sends",
    .summary =
        "transfers that bring a piece to somebody who lacks it, over what the nodes on the way can send",
    .source = "counting; ours",
    .evaluate = useful_sends_parts::evaluate,
};

}  // namespace quadrille::bounds
