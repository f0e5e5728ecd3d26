#include "quadrille/algorithms/trees/scattering/quickest_scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/algorithms/trees/scattering/tree_scatter.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/search/maximum_flow.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

class TimeExpansion {
 public:
  explicit TimeExpansion(const Problem& problem)
      : problem_(problem),
        topology_(problem.topology()),
        root_(topology_.endpoint(*problem.collective().root())),
        hops_(distances_from(topology_, root_)),
        pieces_(problem.collective().pieces()) {}

  // Blocks for destinations at d hops or more leave level d-1 from step d on.
  [[nodiscard]] uint64_t fewest_steps() const {
    const uint32_t levels = *std::max_element(hops_.begin(), hops_.end());
    std::vector<uint64_t> blocks(levels + 2, 0);  // for level d and beyond
    for (const NodeId v : topology_.endpoints()) blocks[hops_[index(v)]] += pieces_;
    for (uint32_t d = levels; d-- > 0;) blocks[d] += blocks[d + 1];
    std::vector<uint64_t> width(levels + 1, 0);  // of the arcs into level d
    for (const NodeId v : topology_.nodes()) {
      uint64_t out = 0;
      for (const ArcId arc : topology_.arcs_from(v)) {
        if (hops_[index(topology_.head(arc))] > hops_[index(v)]) out += topology_.capacity(arc);
      }
      if (out > 0) width[hops_[index(v)] + 1] += through(problem_.model().send, out);
    }
    uint64_t most = 0;
    for (uint32_t d = 1; d <= levels && blocks[d] > 0; ++d) {
      most = std::max(most, d - 1 + (blocks[d] + width[d] - 1) / width[d]);
    }
    return most;
  }

  // What links and ports let through in so many steps, wherever blocks are meanwhile, is enough.
  [[nodiscard]] bool is_let_through(uint64_t steps) const {
    const Ports receive = problem_.model().receive;
    const Ports send = problem_.model().send;
    FlowNetwork network;
    std::vector<uint32_t> in(topology_.num_nodes(), FlowNetwork::kSource);
    std::vector<uint32_t> out(topology_.num_nodes(), FlowNetwork::kSource);
    for (const NodeId v : topology_.nodes()) {
      if (v != root_) in[index(v)] = out[index(v)] = network.add_node();
      if (v != root_ && !receive.unlimited()) {
        out[index(v)] = network.add_node();
        network.add_arc(in[index(v)], out[index(v)], steps * receive.count);
      }
      if (v != root_ && topology_.rank(v)) network.add_arc(out[index(v)], FlowNetwork::kSink, pieces_);
      if (!send.unlimited()) {
        const uint32_t gate = network.add_node();
        network.add_arc(out[index(v)], gate, steps * send.count);
        out[index(v)] = gate;
      }
    }
    for (const ArcId arc : topology_.arcs())
      if (topology_.head(arc) != root_)
        network.add_arc(out[index(topology_.tail(arc))], in[index(topology_.head(arc))],
                        steps * topology_.capacity(arc));
    return network.flow_of(total()).has_value();
  }
  // No scatter takes fewer.
  [[nodiscard]] uint64_t least_let_through(uint64_t enough) const {
    uint64_t too_few = 0;
    while (enough - too_few > 1) {
      const uint64_t middle = too_few + (enough - too_few) / 2;
      (is_let_through(middle) ? enough : too_few) = middle;
    }
    return enough;
  }
  [[nodiscard]] uint64_t farthest() const { return *std::ranges::max_element(hops_); }

  [[nodiscard]] std::optional<QuickestScatter> in_steps(uint64_t steps) const {
    FlowNetwork network;
    std::vector<Sent> sent;
    std::vector<uint32_t> now(topology_.num_nodes(), kNone);
    now[index(root_)] = FlowNetwork::kSource;  // at all times: nothing needs to come back to it
    // What is for a node leaves the network as soon as it has come: paths need not wait there to the end.
    std::vector<uint32_t> arrived(topology_.num_nodes(), kNone);
    for (const NodeId v : topology_.endpoints()) {
      if (v == root_) continue;
      arrived[index(v)] = network.add_node();
      network.add_arc(arrived[index(v)], FlowNetwork::kSink, pieces_);
    }
    for (uint64_t s = 0; s < steps; ++s) now = add_step(network, sent, s, now, arrived);
    for (const NodeId v : topology_.endpoints()) {
      if (v == root_) continue;
      if (now[index(v)] == kNone) return std::nullopt;
      network.add_arc(now[index(v)], arrived[index(v)], pieces_);
    }
    const std::optional<std::vector<uint64_t>> flow = network.flow_of(total());
    if (!flow) return std::nullopt;
    return read_off(steps, sent, *flow);
  }

  [[nodiscard]] uint64_t total() const { return uint64_t{topology_.num_endpoints() - 1} * pieces_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // An arc of the network that stands for an arc of the topology in a step.
  struct Sent {
    size_t network_arc;
    uint64_t step;
    ArcId arc;
  };

  [[nodiscard]] static uint64_t through(Ports ports, uint64_t blocks) {
    return ports.unlimited() ? blocks : std::min<uint64_t>(ports.count, blocks);
  }

  // The nodes' copies after the step, from those before it.
  [[nodiscard]] std::vector<uint32_t> add_step(FlowNetwork& network, std::vector<Sent>& sent, uint64_t step,
                                               const std::vector<uint32_t>& now,
                                               const std::vector<uint32_t>& arrived) const {
    const Ports receive = problem_.model().receive;
    const Ports send = problem_.model().send;
    std::vector<uint32_t> next(now.size(), kNone);
    std::vector<uint32_t> gate(now.size(), kNone);  // what arcs lead into
    for (const NodeId v : topology_.nodes()) {
      if (v == root_ || hops_[index(v)] > step + 1) continue;
      next[index(v)] = gate[index(v)] = network.add_node();
      if (receive.unlimited()) continue;
      gate[index(v)] = network.add_node();
      network.add_arc(gate[index(v)], next[index(v)], receive.count);
    }
    for (const NodeId v : topology_.nodes()) {
      uint32_t from = now[index(v)];
      if (from == kNone) continue;
      if (v != root_ && arrived[index(v)] != kNone) network.add_arc(from, arrived[index(v)], pieces_);
      if (!send.unlimited()) {
        const uint32_t out = network.add_node();
        network.add_arc(from, out, send.count);
        from = out;
      }
      for (const ArcId arc : topology_.arcs_from(v)) {
        if (topology_.head(arc) == root_) continue;
        sent.push_back({network.num_arcs(), step, arc});
        network.add_arc(from, gate[index(topology_.head(arc))], topology_.capacity(arc));
      }
      // Last: paths are filled in the order of the arcs, and whoever waits has yet to go.
      if (v != root_) network.add_arc(now[index(v)], next[index(v)], total());
    }
    next[index(root_)] = FlowNetwork::kSource;
    return next;
  }

  // What goes over the arcs in each step, without what goes both ways over a link.
  [[nodiscard]] QuickestScatter read_off(uint64_t steps, const std::vector<Sent>& sent,
                                         const std::vector<uint64_t>& flow) const {
    QuickestScatter out;
    out.steps = steps;
    std::vector<uint32_t> on(topology_.num_arcs(), 0);
    size_t next = 0;
    for (uint64_t s = 0; s < steps; ++s) {
      const size_t begin = next;
      for (; next < sent.size() && sent[next].step == s; ++next) {
        on[index(sent[next].arc)] = static_cast<uint32_t>(flow[sent[next].network_arc]);
      }
      for (size_t k = begin; k < next; ++k) {
        const ArcId arc = sent[k].arc;
        const ArcId back = topology_.reverse(arc);
        const uint32_t both = back == kNoArc ? 0 : std::min(on[index(arc)], on[index(back)]);
        if (on[index(arc)] > both) out.uses.push_back({arc, on[index(arc)] - both});
      }
      for (size_t k = begin; k < next; ++k) on[index(sent[k].arc)] = 0;
      out.uses_end.push_back(out.uses.size());
    }
    return out;
  }

  const Problem& problem_;
  const Topology& topology_;
  NodeId root_;
  std::vector<uint32_t> hops_;
  uint32_t pieces_;
};

// What a tree needs: enough for a flow too.
uint64_t tree_steps(const Problem& problem) {
  const NodeId root = problem.topology().endpoint(*problem.collective().root());
  const SpanningTree tree = breadth_first_tree(problem.topology(), root);
  return *tree_scatter_prediction(problem, tree).steps;
}

}  // namespace

uint64_t flow_arcs_of_scatter(const Problem& problem) {
  const Topology& topology = problem.topology();
  const uint64_t of_a_step = uint64_t{topology.num_arcs()} + topology.num_nodes();
  uint64_t steps = tree_steps(problem);
  if (steps * of_a_step <= kMostFlowArcs) return steps * of_a_step;
  const TimeExpansion expansion(problem);
  if (const uint64_t least = expansion.fewest_steps(); least * of_a_step <= kMostFlowArcs)
    steps = std::min(steps, std::max(least, expansion.least_let_through(steps)) + expansion.farthest());
  return steps * of_a_step;
}

uint64_t least_steps_of_scatter(const Problem& problem) { return TimeExpansion(problem).fewest_steps(); }

QuickestScatter quickest_scatter(const Problem& problem) {
  count_work(Work::kSearching);
  const TimeExpansion expansion(problem);
  if (expansion.total() == 0) return {};
  // The bound is right on most graphs; above it in steps that double, then by halves.
  const uint64_t enough = tree_steps(problem);
  uint64_t too_few = std::max(expansion.fewest_steps(), expansion.least_let_through(enough)) - 1;
  std::optional<QuickestScatter> best;
  for (uint64_t more = 1; !best; more *= 2) {
    const uint64_t steps = std::min(too_few + more, enough);
    best = expansion.in_steps(steps);
    QUADRILLE_CHECK(best || steps < enough, problem.title());
    if (!best) too_few = steps;
  }
  while (best->steps - too_few > 1) {
    const uint64_t middle = too_few + (best->steps - too_few) / 2;
    if (std::optional<QuickestScatter> better = expansion.in_steps(middle)) {
      best = std::move(better);
    } else {
      too_few = middle;
    }
  }
  return *std::move(best);
}

std::optional<uint64_t> known_steps_of_quickest_scatter(const Problem& problem) {
  const TimeExpansion expansion(problem);
  if (expansion.total() == 0) return 0;
  const uint64_t enough = tree_steps(problem);
  return enough == expansion.fewest_steps() ? std::optional(enough) : std::nullopt;
}

namespace {

struct Hop {
  uint64_t step;
  ArcId arc;
};

// The hops of every block, last one first. Blocks get their names from the end: whoever is at an arc's head
// after the step may have come over it.
std::vector<std::vector<Hop>> named_hops(const QuickestScatter& quickest, const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  std::vector<std::vector<BlockId>> at(topology.num_nodes());
  for (const NodeId v : topology.endpoints()) {
    const Rank rank = *topology.rank(v);
    if (rank == collective.root()) continue;
    for (uint32_t p = 0; p < collective.pieces(); ++p) at[index(v)].push_back(collective.block(rank, p));
  }
  std::vector<std::vector<Hop>> hops(collective.num_blocks());
  std::vector<std::pair<NodeId, BlockId>> moved;
  for (size_t s = quickest.steps; s-- > 0;) {
    moved.clear();
    for (size_t u = s == 0 ? 0 : quickest.uses_end[s - 1]; u < quickest.uses_end[s]; ++u) {
      const QuickestScatter::Use& use = quickest.uses[u];
      std::vector<BlockId>& here = at[index(topology.head(use.arc))];
      QUADRILLE_CHECK(here.size() >= use.blocks, problem.title());
      for (uint32_t b = 0; b < use.blocks; ++b) {
        hops[index(here.back())].push_back({s, use.arc});
        moved.emplace_back(topology.tail(use.arc), here.back());
        here.pop_back();
      }
    }
    for (const auto& entry : moved) at[index(entry.first)].push_back(entry.second);
  }
  return hops;
}

// Where a block comes back to a node it may as well have waited there: no block leaves its destination.
void cut_loops(const Topology& topology, NodeId root, std::vector<Hop>& backwards,
               std::vector<size_t>& place_of) {
  constexpr size_t kNowhere = SIZE_MAX;
  place_of.resize(topology.num_nodes(), kNowhere);
  std::vector<Hop> path;
  place_of[index(root)] = 0;
  for (size_t h = backwards.size(); h-- > 0;) {
    const NodeId to = topology.head(backwards[h].arc);
    if (place_of[index(to)] == kNowhere) {
      path.push_back(backwards[h]);
      place_of[index(to)] = path.size();
      continue;
    }
    for (; path.size() > place_of[index(to)]; path.pop_back()) {
      place_of[index(topology.head(path.back().arc))] = kNowhere;
    }
  }
  place_of[index(root)] = kNowhere;
  for (const Hop& hop : path) place_of[index(topology.head(hop.arc))] = kNowhere;
  backwards = std::move(path);
}

}  // namespace

void scatter_quickly(const Problem& problem, const QuickestScatter& quickest, StepSink& sink) {
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  std::vector<std::vector<Hop>> hops = named_hops(quickest, problem);
  std::vector<size_t> place_of;
  struct Sent {
    ArcId arc;
    BlockId block;
  };
  std::vector<std::vector<Sent>> steps(quickest.steps);
  for (size_t b = 0; b < hops.size(); ++b) {
    cut_loops(topology, root, hops[b], place_of);
    for (const Hop& hop : hops[b]) steps[hop.step].push_back({hop.arc, id_at<BlockId>(b)});
  }
  StepBuilder step;
  for (const std::vector<Sent>& sent : steps) {
    for (const Sent& s : sent) step.add(s.arc, s.block);
    step.flush(sink);
  }
}

}  // namespace quadrille
