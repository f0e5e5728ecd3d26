// Heard across: where few links join two sides of a network, what is heard over them comes too early to be much or too late to get far.
//
// Where everybody has something for everybody, each endpoint of one side hears of each of the other by a message that crosses in some step t. Whoever
// sends it knows of (r + 1)^(t - 1) endpoints at most, if a node can end r messages a step; and of whoever gets it (s + 1)^(T - t) nodes
// can hear by the end of step T, if a node can start s. A step has as many such messages as there are links across, or ports on a side. So over all steps
//
//     c sum_t min((r + 1)^(t - 1), n - a) min((s + 1)^(T - t), a) >= a (n - a)
//
// for a side of a endpoints of n and c links into it. With one port, 64 nodes on each side and one link that is 11 steps, where doubling takes 7.
//
// A side without the root of a broadcast or scatter hears over c links a step, and goes on by itself: of x nodes that know after a step there are
// no more than x (s + 1) + c after the next, where no node of that side can start more than s messages. A path of 70 nodes beyond one link takes 5 steps, whatever is at
// the other end of it. Gathering and reducing are the same backwards, and whoever hears from all does both.
//
// It counts who hears of whom, and so it holds for worms of any number of blocks, and for sums.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/search/thin_cuts.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/cuts.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille::bounds {

extern const BoundCard heard_across;

namespace heard_across_parts {
namespace {

constexpr uint32_t kFewNodes = 32;  // sweeps find their cuts
constexpr uint64_t kMostArcs = uint64_t{1} << 20U;
constexpr uint64_t kMostSwept = uint64_t{1} << 22U;  // links, of all sweeps
constexpr uint32_t kMostSweeps = 64;
constexpr uint64_t kMostBridged = uint64_t{1} << 24U;  // links, of all bridges

// Messages that each node can start, and end, in a step.
struct Messages {
  std::vector<uint64_t> sends;
  std::vector<uint64_t> receives;
};

Messages messages_of(const Problem& problem) {
  NodeCapacities capacities = node_capacities(problem.topology());
  for (uint64_t& out : capacities.out) out = limited(problem.model().send, out);
  for (uint64_t& in : capacities.in) in = limited(problem.model().receive, in);
  return {std::move(capacities.out), std::move(capacities.in)};
}

using ThinCuts = std::shared_ptr<const std::vector<Cut>>;

// Whatever is asked of a network, and with however many ports, its thin cuts are the same.
ThinCuts cuts_of(const Topology& net) {
  static LastAnswers<char, ThinCuts> kept(4);
  return kept.of(net, 0, [&] {
    const double all = net.num_endpoints();
    const CutSearch search{.worth = [all](uint32_t inside, bool /*marked*/, const CutCapacity& across) {
      return inside * (all - inside) /
             static_cast<double>(std::max<uint64_t>(1, std::min(across.out, across.in)));
    }};
    std::vector<Cut> out;
    for_each_thin_cut(net, search, [&](const Cut& cut) { out.push_back(cut); });
    return std::make_shared<const std::vector<Cut>>(std::move(out));
  });
}

// One of two sides: what is on it, and the links between.
struct Side {
  uint64_t endpoints = 0;
  uint64_t nodes = 0;
  uint64_t into = 0;
  uint64_t out_of = 0;
  uint64_t sends = 0;  // of one of its nodes, at most
  uint64_t receives = 0;
  bool has_root = false;

  void add(bool is_endpoint, uint64_t can_send, uint64_t can_receive, bool is_root) {
    endpoints += is_endpoint ? 1 : 0;
    ++nodes;
    sends = std::max(sends, can_send);
    receives = std::max(receives, can_receive);
    has_root = has_root || is_root;
  }
};

class Sides {
 public:
  Sides(const Problem& problem, const Messages& messages)
      : net_(problem.topology()),
        kind_(problem.collective().kind()),
        receives_(std::ranges::max(messages.receives)),
        sends_(std::ranges::max(messages.sends)),
        heard_of_(powers(receives_ + 1)),
        reached_(powers(sends_ + 1)),
        heard_(net_.num_endpoints() + 1) {}

  void look(const Side& side, const auto& where) {
    using enum CollectiveKind;
    const uint64_t outside = net_.num_endpoints() - side.endpoints;
    if (side.endpoints == 0 || outside == 0) return;
    const bool is_all = is_of_all(kind_);
    if (is_all) look_at_pairs(side, outside, where);
    if (is_all || (!side.has_root && (kind_ == kBroadcast || kind_ == kScatter)))
      look_inside(side.endpoints, side.into, side.sends, "hear", where);
    if (is_all || (!side.has_root && (kind_ == kReduce || kind_ == kGather)))
      look_inside(side.endpoints, side.out_of, side.receives, "are heard of", where);
  }
  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] const std::string& witness() const { return witness_; }

 private:
  [[nodiscard]] static bool is_of_all(CollectiveKind kind) {
    using enum CollectiveKind;
    return kind == kAllreduce || kind == kAllgather || kind == kReduceScatter || kind == kAlltoall;
  }

  void look_at_pairs(const Side& side, uint64_t outside, const auto& where) {
    const uint64_t across =
        std::min({side.into, side.nodes * receives_, (net_.num_nodes() - side.nodes) * sends_});
    while (!is_enough(side.endpoints, outside, across)) {
      ++steps_;
      witness_ = fmt::format(
          "{} endpoints ({}) hear of the {} others over {} into their side: in {} steps each of these is too early to "
          "bring much, or too late to get far",
          side.endpoints, where(), outside, plural(across, "link"), steps_ - 1);
    }
  }
  // All of a side over the links to it, or from it.
  void look_inside(uint64_t endpoints, uint64_t across, uint64_t each, std::string_view verb,
                   const auto& where) {
    while (across > 0 && !is_enough_inside(endpoints, across, each)) {
      ++steps_;
      witness_ = fmt::format(
          "{} endpoints ({}) {} over {}, and go on by themselves, a node {} a step: {} steps are not enough",
          endpoints, where(), verb, plural(across, "link"), plural(each, "message"), steps_ - 1);
    }
  }

  std::vector<uint64_t> powers(uint64_t base) const {
    std::vector<uint64_t> out{1};
    while (out.back() < net_.num_endpoints())
      out.push_back(std::min<uint64_t>(out.back() * base, net_.num_endpoints()));
    return out;
  }
  static uint64_t at(const std::vector<uint64_t>& powers, uint64_t exponent) {
    return exponent < powers.size() ? powers[exponent] : powers.back();
  }
  [[nodiscard]] bool is_enough(uint64_t inside, uint64_t outside, uint64_t across) {
    if (across == 0) return true;  // no plan at all: for others to say
    return UInt128{heard_over_one(inside, outside)} * across >= UInt128{inside} * outside;
  }
  // Pairs that a link brings together in all steps; endpoints are all inside or outside.
  uint64_t heard_over_one(uint64_t inside, uint64_t outside) {
    auto& [steps, heard] = heard_[inside];
    if (steps == steps_ + 1) return heard;
    steps = steps_ + 1;
    heard = 0;
    for (uint64_t t = 1; t <= steps_; ++t)
      heard += std::min(at(heard_of_, t - 1), outside) * std::min(at(reached_, steps_ - t), inside);
    return heard;
  }
  [[nodiscard]] bool is_enough_inside(uint64_t endpoints, uint64_t across, uint64_t each) const {
    uint64_t know = 0;
    for (uint64_t t = 1; t <= steps_ && know < endpoints; ++t) know = know * (each + 1) + across;
    return know >= endpoints;
  }

  const Topology& net_;
  CollectiveKind kind_;
  uint64_t receives_;
  uint64_t sends_;
  std::vector<uint64_t> heard_of_;
  std::vector<uint64_t> reached_;
  std::vector<std::pair<uint64_t, uint64_t>>
      heard_;  // per number inside: in how many steps, from 1 on, and how much
  uint64_t steps_ = 0;
  std::string witness_{};
};

class Cuts {
 public:
  Cuts(const Problem& problem, Sides& sides)
      : net_(problem.topology()), messages_(messages_of(problem)), sides_(sides) {
    if (const std::optional<Rank> root = problem.collective().root()) root_ = net_.endpoint(*root);
  }

  void look_at_bridges() {
    const Separations around(net_);
    // Each looks at the whole network: of many, some.
    const std::vector<Separations::Part>& bridges = around.bridges();
    const size_t apart = 1 + bridges.size() * net_.num_arcs() / kMostBridged;
    for (size_t i = apart / 2; i < bridges.size(); i += apart) {
      const Separations::Part& beyond = bridges[i];
      std::vector<char> is_in(net_.num_nodes(), 0);
      NodeId far = beyond.without;
      for (const NodeId v : net_.nodes()) is_in[index(v)] = around.is_in(beyond, v) ? 1 : 0;
      for (const ArcId arc : net_.arcs_from(beyond.without)) {
        if (is_in[index(net_.head(arc))] != 0) far = net_.head(arc);
      }
      look_at_both(is_in, fmt::format("behind {}", net_.label(far)),
                   fmt::format("all but those behind {}", net_.label(far)));
    }
  }

  // Sides that begin at a node and take in whoever is nearest.
  void sweep() {
    const auto sweeps = static_cast<uint32_t>(std::min<uint64_t>(
        {kMostSweeps, net_.num_nodes(), kMostSwept / std::max<uint64_t>(net_.num_arcs(), 1)}));
    for (uint32_t i = 0; i < sweeps; ++i)
      sweep_from(NodeId{static_cast<uint32_t>(uint64_t{i} * net_.num_nodes() / sweeps)});
  }

  void look_at_sparse_cuts() {
    const ThinCuts cuts = cuts_of(net_);
    for (const Cut& cut : *cuts) look_at_both(cut.side, "a side of a thin cut", "a side of a thin cut");
  }

 private:
  void add(Side& side, NodeId v) const {
    side.add(net_.rank(v).has_value(), messages_.sends[index(v)], messages_.receives[index(v)], v == root_);
  }

  void look_at_both(const std::vector<char>& is_in, const std::string& inside, const std::string& outside) {
    Side in;
    Side out;
    for (const NodeId v : net_.nodes()) add(is_in[index(v)] != 0 ? in : out, v);
    for (const ArcId arc : net_.arcs()) {
      const bool from = is_in[index(net_.tail(arc))] != 0;
      const bool to = is_in[index(net_.head(arc))] != 0;
      if (from != to) (to ? in : out).into += net_.capacity(arc);
    }
    in.out_of = out.into;
    out.out_of = in.into;
    sides_.look(in, [&] { return inside; });
    sides_.look(out, [&] { return outside; });
  }

  void sweep_from(NodeId first) {
    const std::vector<uint32_t> hops = distances_from(net_, first);
    std::vector<NodeId> order;
    for (const NodeId v : net_.nodes()) order.push_back(v);
    std::ranges::stable_sort(order, {}, [&hops](NodeId v) { return hops[index(v)]; });
    std::vector<Side> rest(order.size() + 1);  // from each on
    for (size_t n = order.size(); n-- > 0;) {
      rest[n] = rest[n + 1];
      add(rest[n], order[n]);
    }
    std::vector<char> is_in(net_.num_nodes(), 0);
    Side near;
    for (size_t n = 1; n < order.size(); ++n) {
      const NodeId v = order[n - 1];
      is_in[index(v)] = 1;
      add(near, v);
      for (const ArcId arc : net_.arcs_from(v)) {
        const uint64_t there = net_.capacity(arc);
        const uint64_t back = net_.reverse(arc) == kNoArc ? 0 : net_.capacity(net_.reverse(arc));
        if (is_in[index(net_.head(arc))] != 0) {
          near.into -= there;
          near.out_of -= back;
        } else {
          near.into += back;
          near.out_of += there;
        }
      }
      rest[n].into = near.out_of;
      rest[n].out_of = near.into;
      const auto where = [&](std::string_view which) {
        return fmt::format("{} the {} nearest to {}", which, n, net_.label(first));
      };
      sides_.look(near, [&] { return where("of"); });
      sides_.look(rest[n], [&] { return where("of all but"); });
    }
  }

  const Topology& net_;
  Messages messages_;
  Sides& sides_;
  NodeId root_ = kNoNode;
};

// Whether each node has links to half of the others: then every cut has as many links as that.
bool is_dense(const Topology& net) {
  for (const NodeId v : net.nodes())
    if (net.out_degree(v) < net.num_nodes() / 2) return false;
  return true;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  const CollectiveKind kind = problem.collective().kind();
  const bool is_of_sums = kind == CollectiveKind::kAllreduce && model.switching == Switching::kPacket;
  if (kind == CollectiveKind::kAlltoallv || (!is_of_sums && model.switching != Switching::kWormhole))
    return std::nullopt;
  if (net.is_outline() || net.is_directed() || problem.collective().num_ranks() < 2 ||
      net.num_arcs() > kMostArcs)
    return std::nullopt;
  Sides sides(problem, messages_of(problem));
  Cuts cuts(problem, sides);
  cuts.look_at_bridges();
  cuts.sweep();
  if (net.num_nodes() > kFewNodes && !is_dense(net)) cuts.look_at_sparse_cuts();
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
