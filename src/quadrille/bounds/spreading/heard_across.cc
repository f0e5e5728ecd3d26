// Heard across: where few links join two sides of a network, what is heard over them comes too early to be much or too late to get far.
//
// Where everybody has something for everybody, each endpoint of one side hears of each of the other by a message that crosses in some step t. Whoever
// sends it knows of (r + 1)^(t - 1) endpoints at most, if a node can end r messages a step; and of whoever gets it (s + 1)^(T - t) nodes
// can hear by the end of step T, if a node can start s. A step has as many such messages as there are links across, or ports on a side. So over all steps
//
//     c sum_t min((r + 1)^(t - 1), n - a) min((s + 1)^(T - t), a) >= a (n - a)
//
// for a side of a endpoints of n and c links into it. With one port, 64 nodes on each side and one link that is 11 steps, where doubling takes 7.
// It counts who hears of whom, and so it holds for worms of any number of blocks, and for sums.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/cuts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/separations.h"
#include "quadrille/topology/queries/sparse_cuts.h"

namespace quadrille::bounds {

extern const BoundCard heard_across;

namespace heard_across_parts {
namespace {

constexpr uint32_t kFewNodes = 32;  // sweeps find their cuts
constexpr uint64_t kMostArcs = uint64_t{1} << 20U;
constexpr uint64_t kMostSwept = uint64_t{1} << 22U;  // links, of all sweeps
constexpr uint32_t kMostSweeps = 64;

class Sides {
 public:
  Sides(const Topology& net, uint64_t receives, uint64_t sends)
      : net_(net),
        heard_of_(powers(receives + 1)),
        reached_(powers(sends + 1)),
        receives_(receives),
        sends_(sends) {}

  // A side of so many endpoints, and nodes, with so many links into it.
  void look(uint64_t inside, uint64_t nodes, uint64_t across, const std::string& where) {
    const uint64_t outside = net_.num_endpoints() - inside;
    if (inside == 0 || outside == 0) return;
    across = std::min({across, nodes * receives_, (net_.num_nodes() - nodes) * sends_});
    while (!is_enough(steps_, inside, outside, across)) {
      ++steps_;
      witness_ = fmt::format(
          "{} endpoints ({}) hear of the {} others over {} into their side: in {} steps each of these is too early to "
          "bring much, or too late to get far",
          inside, where, outside, plural(across, "link"), steps_ - 1);
    }
  }
  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] const std::string& witness() const { return witness_; }

 private:
  std::vector<uint64_t> powers(uint64_t base) const {
    std::vector<uint64_t> out{1};
    while (out.back() < net_.num_endpoints())
      out.push_back(std::min<uint64_t>(out.back() * base, net_.num_endpoints()));
    return out;
  }
  static uint64_t at(const std::vector<uint64_t>& powers, uint64_t exponent) {
    return exponent < powers.size() ? powers[exponent] : powers.back();
  }
  [[nodiscard]] bool is_enough(uint64_t steps, uint64_t inside, uint64_t outside, uint64_t across) const {
    if (across == 0) return true;  // no plan at all: for others to say
    const UInt128 wanted = UInt128{inside} * outside;
    UInt128 heard = 0;
    for (uint64_t t = 1; t <= steps && heard < wanted; ++t)
      heard += UInt128{std::min(at(heard_of_, t - 1), outside)} * std::min(at(reached_, steps - t), inside) *
               across;
    return heard >= wanted;
  }

  const Topology& net_;
  std::vector<uint64_t> heard_of_;
  std::vector<uint64_t> reached_;
  uint64_t receives_;
  uint64_t sends_;
  uint64_t steps_ = 0;
  std::string witness_{};
};

void look_at_bridges(const Topology& net, Sides& sides) {
  const Separations around(net);
  for (const Separations::Part& beyond : around.bridges()) {
    uint64_t there = 0;
    uint64_t back = 0;
    uint64_t nodes = 0;
    for (const NodeId v : net.nodes()) nodes += around.is_in(beyond, v) ? 1 : 0;
    NodeId far = beyond.without;
    for (const ArcId arc : net.arcs_from(beyond.without)) {
      if (around.is_in(beyond, net.head(arc))) {
        there += net.capacity(arc);
        far = net.head(arc);
      }
    }
    for (const ArcId arc : net.arcs_from(far))
      back += net.head(arc) == beyond.without ? net.capacity(arc) : 0;
    sides.look(beyond.endpoints, nodes, there, fmt::format("behind {}", net.label(far)));
    sides.look(net.num_endpoints() - beyond.endpoints, net.num_nodes() - nodes, back,
               fmt::format("all but those behind {}", net.label(far)));
  }
}

// Sides that begin at a node and take in whoever is nearest.
void sweep(const Topology& net, Sides& sides) {
  const auto sweeps = static_cast<uint32_t>(
      std::min<uint64_t>({kMostSweeps, net.num_nodes(), kMostSwept / std::max<uint64_t>(net.num_arcs(), 1)}));
  std::vector<char> is_in(net.num_nodes());
  for (uint32_t i = 0; i < sweeps; ++i) {
    const NodeId first{static_cast<uint32_t>(uint64_t{i} * net.num_nodes() / sweeps)};
    const std::vector<uint32_t> hops = distances_from(net, first);
    std::vector<NodeId> order;
    for (const NodeId v : net.nodes()) order.push_back(v);
    std::ranges::stable_sort(order, {}, [&hops](NodeId v) { return hops[index(v)]; });
    std::ranges::fill(is_in, 0);
    uint64_t into = 0;
    uint64_t out_of = 0;
    uint64_t inside = 0;
    for (uint64_t n = 1; n < order.size(); ++n) {
      const NodeId v = order[n - 1];
      is_in[index(v)] = 1;
      inside += net.rank(v) ? 1 : 0;
      for (const ArcId arc : net.arcs_from(v)) {
        const uint64_t there = net.capacity(arc);
        const uint64_t back = net.reverse(arc) == kNoArc ? 0 : net.capacity(net.reverse(arc));
        if (is_in[index(net.head(arc))] != 0) {
          into -= there;
          out_of -= back;
        } else {
          into += back;
          out_of += there;
        }
      }
      const auto where = [&](std::string_view which) {
        return fmt::format("{} the {} nearest to {}", which, n, net.label(first));
      };
      sides.look(inside, n, into, where("of"));
      sides.look(net.num_endpoints() - inside, net.num_nodes() - n, out_of, where("of all but"));
    }
  }
}

void look_at_sparse_cuts(const Topology& net, Sides& sides) {
  const double all = net.num_endpoints();
  const CutSearch search{.worth = [all](uint32_t inside, bool /*marked*/, const CutCapacity& across) {
    return inside * (all - inside) /
           static_cast<double>(std::max<uint64_t>(1, std::min(across.out, across.in)));
  }};
  for_each_sparse_cut(net, search, [&](const Cut& cut) {
    uint64_t nodes = 0;
    uint64_t inside = 0;
    for (const NodeId v : net.nodes()) {
      if (cut.side[index(v)] == 0) continue;
      ++nodes;
      inside += net.rank(v) ? 1 : 0;
    }
    uint64_t into = 0;
    uint64_t out_of = 0;
    for (const ArcId arc : net.arcs()) {
      const bool from = cut.side[index(net.tail(arc))] != 0;
      const bool to = cut.side[index(net.head(arc))] != 0;
      if (from != to) (to ? into : out_of) += net.capacity(arc);
    }
    sides.look(inside, nodes, into, "a side of a thin cut");
    sides.look(net.num_endpoints() - inside, net.num_nodes() - nodes, out_of, "a side of a thin cut");
  });
}

uint64_t messages_of_step(const Topology& net, Ports ports) {
  const NodeCapacities capacities = node_capacities(net);
  return limited(ports, std::max(std::ranges::max(capacities.out), std::ranges::max(capacities.in)));
}

std::optional<Bound> evaluate(const Problem& problem) {
  using enum CollectiveKind;
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  const CollectiveKind kind = problem.collective().kind();
  const bool is_of_sums = kind == kAllreduce && model.switching == Switching::kPacket;
  const bool is_of_all =
      kind == kAllreduce || kind == kAllgather || kind == kReduceScatter || kind == kAlltoall;
  if (!is_of_all || (!is_of_sums && model.switching != Switching::kWormhole)) return std::nullopt;
  if (net.is_outline() || net.is_directed() || problem.collective().num_ranks() < 2 ||
      net.num_arcs() > kMostArcs)
    return std::nullopt;
  Sides sides(net, messages_of_step(net, model.receive), messages_of_step(net, model.send));
  look_at_bridges(net, sides);
  sweep(net, sides);
  if (net.num_nodes() > kFewNodes) look_at_sparse_cuts(net, sides);
  if (sides.steps() == 0) return std::nullopt;
  return Bound{
      heard_across.name, Rational(static_cast<int64_t>(sides.steps())), sides.witness(), BoundOn::kSteps, {}};
}

}  // namespace
}  // namespace heard_across_parts

constinit const BoundCard heard_across = {
    .name = "heard_across",
    .summary =
        "who can have heard of whom over the few links between two sides: early ones bring little, late ones go nowhere",
    .source = "ours",
    .evaluate = heard_across_parts::evaluate,
};

}  // namespace quadrille::bounds
