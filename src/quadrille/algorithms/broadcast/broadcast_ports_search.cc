// Broadcast with a few ports on a small graph by exact search: the fewest steps, if the search gets that far.
//
// As broadcast_search does for one port, it asks a satisfiability solver for one step less until the answer is no, or
// too hard. The formula says by when each node is informed and over which link, that its informer was informed
// before, and that nobody informs more in a step than it has ports. Endpoints must be informed; routers need not be.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"
#include "quadrille/base/work_count.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/spread_by_routers.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_ports_search;

namespace broadcast_ports_search_parts {
namespace {

constexpr uint32_t kMostNodes = 128;
constexpr uint32_t kMostArcs = 1024;
constexpr uint32_t kConflicts = 4'000;

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  const Topology& topology = problem.topology();
  if (model.switching != Switching::kPacket) return Applicability::no("it is for packet switching");
  if (model.send.unlimited()) return Applicability::no("with all ports broadcast_bfs_tree is optimal");
  if (model.send == kOnePort && !topology.has_routers())
    return Applicability::no("with one port and no routers broadcast_search asks for less");
  if (problem.collective().pieces() > 1) {
    return Applicability::no(
        fmt::format("it searches for the best broadcast of a block in one piece, not in {}",
                    problem.collective().pieces()));
  }
  if (topology.num_nodes() <= kMostNodes && topology.num_arcs() <= kMostArcs) return Applicability::yes();
  return Applicability::no(fmt::format("it searches graphs of up to {} nodes and {} arcs; {} has {} and {}",
                                       kMostNodes, kMostArcs, topology.name(), topology.num_nodes(),
                                       topology.num_arcs()));
}

// Whether the root can inform all endpoints in so many steps.
class Question {
 public:
  Question(const Topology& topology, NodeId root, const std::vector<uint32_t>& hops, uint32_t ports,
           uint32_t steps)
      : topology_(topology), root_(root), hops_(hops), steps_(steps) {
    for (const NodeId v : topology.nodes())
      by_.push_back(v == root ? 0 : formula_.variables(size_t{steps} + 1));
    for (const ArcId arc : topology.arcs())
      over_.push_back(topology.head(arc) == root ? 0 : formula_.variable());
    for (const NodeId v : topology.nodes())
      if (v != root) is_informed_at_most_once(v);
    for (const NodeId v : topology.nodes()) informs_at_most(v, ports);
  }

  [[nodiscard]] const Formula& formula() const { return formula_; }
  [[nodiscard]] std::vector<ArcId> informed_over(const SearchAnswer& answer) const {
    std::vector<ArcId> out(topology_.num_nodes(), kNoArc);
    for (const ArcId arc : topology_.arcs()) {
      const int over = over_[index(arc)];
      if (over != 0 && answer.value(over)) out[index(topology_.head(arc))] = arc;
    }
    leave_out_idle_routers(out);
    return out;
  }

 private:
  [[nodiscard]] int informed_by(NodeId v, uint32_t step) const {
    return by_[index(v)] + static_cast<int>(step);
  }

  void is_informed_at_most_once(NodeId v) {
    formula_.add({-informed_by(v, std::min(steps_, std::max(hops_[index(v)], 1U) - 1))});
    std::vector<int> into;
    for (const ArcId arc : topology_.arcs()) {
      if (topology_.head(arc) != v) continue;
      into.push_back(over_[index(arc)]);
      const NodeId tail = topology_.tail(arc);
      formula_.add({-into.back(), informed_by(v, steps_)});
      for (uint32_t t = 1; t <= steps_ && tail != root_; ++t)
        formula_.add({-into.back(), -informed_by(v, t), informed_by(tail, t - 1)});
    }
    formula_.at_most_one(into);
    into.push_back(-informed_by(v, steps_));
    formula_.add(into);
    for (uint32_t t = 1; t <= steps_; ++t) formula_.add({-informed_by(v, t - 1), informed_by(v, t)});
    if (topology_.rank(v)) formula_.add({informed_by(v, steps_)});
  }

  void informs_at_most(NodeId informer, uint32_t ports) {
    const auto arcs = topology_.arcs_from(informer);
    if (arcs.size() <= ports) return;
    for (uint32_t t = 1; t <= steps_; ++t) {
      std::vector<int> now;
      for (const ArcId arc : arcs) {
        const NodeId head = topology_.head(arc);
        if (head == root_) continue;
        now.push_back(formula_.variable());
        formula_.add({-over_[index(arc)], -informed_by(head, t), informed_by(head, t - 1), now.back()});
      }
      if (now.size() > ports) formula_.at_most(now, ports);
    }
  }

  // What is informed and leads to no endpoint.
  void leave_out_idle_routers(std::vector<ArcId>& arcs) const {
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<char> informs(topology_.num_nodes(), 0);
      for (const ArcId arc : arcs)
        if (arc != kNoArc) informs[index(topology_.tail(arc))] = 1;
      for (const NodeId v : topology_.nodes()) {
        if (arcs[index(v)] == kNoArc || topology_.rank(v) || informs[index(v)] != 0) continue;
        arcs[index(v)] = kNoArc;
        changed = true;
      }
    }
  }

  const Topology& topology_;
  NodeId root_;
  const std::vector<uint32_t>& hops_;
  uint32_t steps_;
  Formula formula_;
  std::vector<int> by_;    // per node: informed by the end of step 0, 1, ..
  std::vector<int> over_;  // per arc
};

TreeBroadcast shape(const Problem& problem) {
  count_work(Work::kSearching);
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  const std::vector<uint32_t> hops = distances_from(topology, root);
  const Ports ports = problem.model().send;
  TreeBroadcast best = tree_broadcast(topology, breadth_first_tree(topology, root), ports);
  uint64_t least = 0;
  for (UInt128 reached = 1; reached < topology.num_endpoints(); reached *= ports.count + uint64_t{1}) ++least;
  for (const NodeId v : topology.endpoints()) least = std::max<uint64_t>(least, hops[index(v)]);
  least = std::max<uint64_t>(least, steps_by_routers(topology, root, ports.count, false));
  while (best.steps(1) > least) {
    const Question question(topology, root, hops, ports.count, static_cast<uint32_t>(best.steps(1) - 1));
    const SearchAnswer answer =
        solve(question.formula(), {.conflicts = kConflicts, .focus = SearchFocus::kSolutions});
    if (!answer.satisfiable()) break;
    best = tree_broadcast(topology, tree_of_arcs(topology, root, question.informed_over(answer)), ports);
  }
  return best;
}

}  // namespace
}  // namespace broadcast_ports_search_parts

constinit const Algorithm broadcast_ports_search = {
    .name = "broadcast_ports_search",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "searches for a broadcast with the fewest steps by a satisfiability solver, for any number of ports",
    .source = "ours; the search is CaDiCaL's (Biere et al.)",
    .remarks =
        "ports fewer than links, routers too, graphs of up to 128 nodes and 1,024 arcs; optimal unless a question takes "
        "more than 4,000 conflicts, and then the best plan found",
    .applies = broadcast_ports_search_parts::applies,
    .prepare = by_search<broadcast_ports_search_parts::shape, tree_broadcast_prediction, broadcast_down>,
};

}  // namespace quadrille::algorithms
