// Quickest scatter: what can have come out of the root, and to whom, step after step.
//
// Blocks of a scatter leave one node, so which is which does not matter until the end: T steps are enough if and only if a flow of all of them
// goes through the network as it is step after step (algorithms/scatter/scatter_flow makes plans of such flows). Where none does, a
// cut through nodes and steps says so: who is on its far side at the end is owed more blocks than cross until then. Levels of one
// distance, and cuts that stay where they are, are such cuts; here they move with time. A gather is the same backwards.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/search/maximum_flow.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::bounds {

extern const BoundCard quickest_scatter;
extern const BoundCard scatter_levels;
extern const BoundCard thin_cut;

namespace quickest_scatter_parts {
namespace {

constexpr uint64_t kMostFlowArcs = 400'000;  // steps times links and nodes

class InTime {
 public:
  InTime(const Topology& net, NodeId root, uint32_t pieces, bool backwards)
      : net_(net),
        root_(root),
        pieces_(pieces),
        backwards_(backwards),
        hops_(backwards ? distances_to(net, root) : distances_from(net, root)) {}

  // Per node the step after which it is on the near side, if so many steps are too few.
  [[nodiscard]] std::optional<std::vector<uint32_t>> cut(uint64_t steps) const {
    const uint64_t all = uint64_t{net_.num_endpoints() - 1} * pieces_;
    FlowNetwork network;
    // What is for a node leaves the network as soon as it has come, so that paths are short.
    std::vector<uint32_t> arrived(net_.num_nodes(), kNone);
    for (const NodeId v : net_.endpoints()) {
      if (v == root_) continue;
      arrived[index(v)] = network.add_node();
      network.add_arc(arrived[index(v)], FlowNetwork::kSink, pieces_);
    }
    std::vector<std::vector<uint32_t>> copies(steps + 1);
    for (uint64_t t = 0; t <= steps; ++t) {
      copies[t].assign(net_.num_nodes(), kNone);
      for (const NodeId v : net_.nodes()) {
        if (v == root_) copies[t][index(v)] = FlowNetwork::kSource;
        if (v == root_ || hops_[index(v)] > t) continue;
        copies[t][index(v)] = network.add_node();
        if (arrived[index(v)] != kNone) network.add_arc(copies[t][index(v)], arrived[index(v)], all);
      }
      if (t == 0) continue;
      for (const ArcId arc : net_.arcs()) {
        const uint32_t from = copies[t - 1][index(backwards_ ? net_.head(arc) : net_.tail(arc))];
        const NodeId to = backwards_ ? net_.tail(arc) : net_.head(arc);
        if (from != kNone && to != root_) network.add_arc(from, copies[t][index(to)], net_.capacity(arc));
      }
      for (const NodeId v : net_.nodes()) {
        const uint32_t before = copies[t - 1][index(v)];
        if (v != root_ && before != kNone) network.add_arc(before, copies[t][index(v)], all);
      }
    }
    const std::optional<std::vector<char>> near = network.cut_below(all);
    if (!near) return std::nullopt;
    std::vector<uint32_t> times(net_.num_nodes(), static_cast<uint32_t>(steps) + 1);
    for (uint64_t t = steps + 1; t-- > 0;)
      for (const NodeId v : net_.nodes())
        if (copies[t][index(v)] != kNone && (*near)[copies[t][index(v)]] != 0)
          times[index(v)] = static_cast<uint32_t>(t);
    return times;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  const Topology& net_;
  NodeId root_;
  uint32_t pieces_;
  bool backwards_;
  std::vector<uint32_t> hops_;
};

// What other bounds say already.
uint64_t known_steps(const Problem& problem) {
  uint64_t most = 0;
  for (const BoundCard* card : {&scatter_levels, &thin_cut})
    for (const Bound& bound : bounds_of(*card, problem))
      if (bound.on == BoundOn::kSteps) most = std::max(most, static_cast<uint64_t>(bound.value.ceil()));
  return most;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& net = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const Model& model = problem.model();
  const bool backwards = kind == CollectiveKind::kGather;
  if ((kind != CollectiveKind::kScatter && !backwards) || !sends_single_packets(model) ||
      !model.send.unlimited() || !model.receive.unlimited() || problem.collective().num_ranks() < 2 ||
      net.product() != nullptr)
    return std::nullopt;
  const uint64_t of_a_step = uint64_t{net.num_arcs()} + net.num_nodes();
  const auto is_small = [&](uint64_t steps) { return steps <= kMostFlowArcs / of_a_step; };
  uint64_t too_few = known_steps(problem);
  if (too_few == 0 || !is_small(too_few)) return std::nullopt;
  const NodeId root = net.endpoint(*problem.collective().root());
  const InTime in_time(net, root, problem.collective().pieces(), backwards);
  std::optional<std::vector<uint32_t>> times = in_time.cut(too_few);
  if (!times) return std::nullopt;
  uint64_t enough = UINT64_MAX;
  for (uint64_t more = 1; enough - too_few > 1; more *= 2) {
    const uint64_t steps = enough == UINT64_MAX ? too_few + more : too_few + (enough - too_few) / 2;
    if (!is_small(steps)) break;
    if (std::optional<std::vector<uint32_t>> later = in_time.cut(steps)) {
      times = std::move(later);
      too_few = steps;
    } else {
      enough = steps;
    }
  }
  uint64_t crossing = 0;
  for (const ArcId arc : net.arcs()) {
    const uint32_t from = times->at(index(backwards ? net.head(arc) : net.tail(arc)));
    const uint32_t to = times->at(index(backwards ? net.tail(arc) : net.head(arc)));
    if (to > from + 1) crossing += uint64_t{net.capacity(arc)} * (to - from - 1);
  }
  uint64_t beyond = 0;
  for (const NodeId v : net.endpoints()) beyond += times->at(index(v)) > too_few ? 1 : 0;
  return Bound{
      quickest_scatter.name, Rational(static_cast<int64_t>(too_few) + 1),
      fmt::format("{} {} {} nodes across a cut that moves with time, and {} can in {}",
                  plural(beyond * problem.collective().pieces(), "block"),
                  backwards ? "must come from" : "must go to", beyond, crossing, plural(too_few, "step")),
      BoundOn::kSteps, TimesWitness{*std::move(times)}};
}

}  // namespace
}  // namespace quickest_scatter_parts

constinit const BoundCard quickest_scatter = {
    .name = "quickest_scatter",
    .summary = "blocks for those beyond a cut that moves with time, over what crosses it until the end",
    .source = "Ford and Fulkerson 1962, flows over time",
    .takes_long = true,
    .evaluate = quickest_scatter_parts::evaluate,
};

}  // namespace quadrille::bounds
