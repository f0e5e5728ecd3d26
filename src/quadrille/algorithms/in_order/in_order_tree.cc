#include "quadrille/algorithms/in_order/in_order_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// Pieces times nodes up to which several trees are tried.
constexpr uint64_t kMostTried = uint64_t{1} << 15U;

// Consecutive ranks.
struct Run {
  uint32_t first;
  uint32_t last;
};

struct Tree {
  NodeId root;
  std::vector<NodeId> down;            // the root first, parents before their children
  std::vector<ArcId> up;               // per node, but for the root
  std::vector<std::vector<Run>> runs;  // per node, of the ranks at it and below it
};

// Which of several parents, as near to the root as each other, a node takes.
enum class Parents : uint8_t { kNearest, kFarthest, kLowest, kHighest };

uint64_t number_of(const Topology& topology, NodeId v) {
  const std::optional<Rank> rank = topology.rank(v);
  return rank ? index(*rank) : index(v);
}

uint64_t preference(const Topology& topology, NodeId child, NodeId parent, Parents parents) {
  const uint64_t a = number_of(topology, child);
  const uint64_t b = number_of(topology, parent);
  switch (parents) {
    case Parents::kNearest:
      return a > b ? a - b : b - a;
    case Parents::kFarthest:
      return UINT64_MAX - (a > b ? a - b : b - a);
    case Parents::kLowest:
      return b;
    case Parents::kHighest:
      break;
  }
  return UINT64_MAX - b;
}

void join_runs(std::vector<Run>& runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  size_t kept = 0;
  for (const Run& run : runs) {
    if (kept > 0 && runs[kept - 1].last + 1 == run.first) {
      runs[kept - 1].last = run.last;
    } else {
      runs[kept++] = run;
    }
  }
  runs.resize(kept);
}

Tree tree_of(const Topology& topology, NodeId root, Parents parents) {
  Tree out{root, {}, std::vector<ArcId>(topology.num_nodes()), {}};
  const std::vector<uint32_t> hops = distances_to(topology, root);
  for (const NodeId v : topology.nodes())
    if (hops[index(v)] != UINT32_MAX) out.down.push_back(v);
  std::stable_sort(out.down.begin(), out.down.end(),
                   [&](NodeId a, NodeId b) { return hops[index(a)] < hops[index(b)]; });
  for (const NodeId v : out.down) {
    if (v == root) continue;
    uint64_t least = UINT64_MAX;
    bool found = false;
    for (const ArcId arc : topology.arcs_from(v)) {
      const NodeId w = topology.head(arc);
      if (hops[index(w)] + 1 != hops[index(v)]) continue;
      const uint64_t cost = preference(topology, v, w, parents);
      if (found && cost >= least) continue;
      found = true;
      least = cost;
      out.up[index(v)] = arc;
    }
  }
  out.runs.resize(topology.num_nodes());
  for (size_t i = out.down.size(); i-- > 0;) {
    const NodeId v = out.down[i];
    std::vector<Run>& runs = out.runs[index(v)];
    if (const std::optional<Rank> rank = topology.rank(v))
      runs.push_back({static_cast<uint32_t>(index(*rank)), static_cast<uint32_t>(index(*rank))});
    join_runs(runs);
    if (v == root) break;
    std::vector<Run>& above = out.runs[index(topology.head(out.up[index(v)]))];
    above.insert(above.end(), runs.begin(), runs.end());
  }
  return out;
}

// Runs the tree, piece after piece on every link, step by step.
class Climb {
 public:
  Climb(const Problem& problem, const Tree& tree)
      : problem_(problem),
        topology_(problem.topology()),
        tree_(tree),
        pieces_(problem.collective().pieces()),
        cells_(size_t{pieces_} * topology_.num_nodes()),
        next_(topology_.num_nodes()) {
    for (const NodeId v : topology_.nodes()) {
      for (uint32_t piece = 0; piece < pieces_; ++piece) {
        Cell& here = cell(piece, v);
        here.missing.reserve(tree.runs[index(v)].size());
        for (const Run& run : tree.runs[index(v)]) here.missing.push_back(run.last - run.first + 1);
        if (const std::optional<Rank> rank = topology_.rank(v)) {
          const auto number = static_cast<uint32_t>(index(*rank));
          add(here, {number, number}, 0);
          here.missing[run_with(v, number)] -= 1;
        }
      }
    }
  }

  // Whether all came to the root.
  bool run(StepSink& sink) {
    StepBuilder step;
    LinkUse use(problem_);
    std::vector<NodeId> waiting;
    for (const NodeId v : tree_.down)
      if (v != tree_.root && !tree_.runs[index(v)].empty()) waiting.push_back(v);
    const size_t pieces = pieces_;
    while (!waiting.empty()) {
      // Earlier pieces first.
      std::stable_sort(waiting.begin(), waiting.end(),
                       [&](NodeId a, NodeId b) { return next_[index(a)] < next_[index(b)]; });
      arrivals_.clear();
      for (const NodeId v : waiting) send(v, use, step);
      if (step.empty()) return false;
      for (const Arrival& arrival : arrivals_)
        cell(arrival.piece, arrival.at).missing[run_with(arrival.at, arrival.run.first)] -=
            arrival.run.last - arrival.run.first + 1;
      step.flush(sink);
      use.next_step();
      std::erase_if(waiting, [&](NodeId v) { return next_[index(v)] == pieces; });
    }
    return true;
  }

 private:
  struct Part {
    Run run;
    uint32_t slot;
  };
  struct Cell {
    std::vector<Part> parts{};
    std::vector<uint32_t> missing{};  // per run, ranks that have not come; kSent: it has gone
  };
  struct Arrival {
    uint32_t piece;
    NodeId at;
    Run run;
  };
  static constexpr uint32_t kSent = UINT32_MAX;

  Cell& cell(uint32_t piece, NodeId v) { return cells_[size_t{piece} * topology_.num_nodes() + index(v)]; }

  [[nodiscard]] size_t run_with(NodeId v, uint32_t rank) const {
    const std::vector<Run>& runs = tree_.runs[index(v)];
    const auto after = std::upper_bound(runs.begin(), runs.end(), rank,
                                        [](uint32_t r, const Run& run) { return r < run.first; });
    return static_cast<size_t>(after - runs.begin()) - 1;
  }

  // The slot of what it continues, or a free one.
  static std::optional<uint32_t> slot_for(const Cell& here, const Run& run) {
    uint32_t taken = 0;
    for (const Part& part : here.parts) {
      if (part.run.last + 1 == run.first || run.last + 1 == part.run.first) return part.slot;
      taken |= 1U << part.slot;
    }
    for (uint32_t slot = 0; slot < SumSlots::kCount; ++slot)
      if ((taken >> slot & 1U) == 0) return slot;
    return std::nullopt;
  }

  static void add(Cell& here, const Run& run, uint32_t slot) {
    for (Part& part : here.parts) {
      if (part.slot != slot) continue;
      part.run = {std::min(part.run.first, run.first), std::max(part.run.last, run.last)};
      return;
    }
    here.parts.push_back({run, slot});
  }

  // A run of the piece whose turn it is, if one was complete before this step.
  void send(NodeId v, LinkUse& use, StepBuilder& step) {
    const uint32_t piece = next_[index(v)];
    Cell& here = cell(piece, v);
    const std::vector<Run>& runs = tree_.runs[index(v)];
    const ArcId arc = tree_.up[index(v)];
    const NodeId parent = topology_.head(arc);
    Cell& there = cell(piece, parent);
    for (size_t r = 0; r < runs.size(); ++r) {
      if (here.missing[r] != 0) continue;
      const std::optional<uint32_t> slot = slot_for(there, runs[r]);
      if (!slot) continue;
      if (!use.take(arc)) return;
      const BlockId block{piece};
      step.add({&arc, 1}, {&block, 1}, TransferOp::kDefault, {slots_of(here, runs[r]), *slot});
      here.missing[r] = kSent;
      add(there, runs[r], *slot);
      arrivals_.push_back({piece, parent, runs[r]});
      if (std::all_of(here.missing.begin(), here.missing.end(), [](uint32_t m) { return m == kSent; }))
        ++next_[index(v)];
      return;
    }
  }

  static uint32_t slots_of(const Cell& here, const Run& run) {
    uint32_t slots = 0;
    bool all = true;
    for (const Part& part : here.parts) {
      const bool within = run.first <= part.run.first && part.run.last <= run.last;
      if (within) slots |= 1U << part.slot;
      all &= within;
    }
    return all ? SumSlots::kAll : slots;
  }

  const Problem& problem_;
  const Topology& topology_;
  const Tree& tree_;
  uint32_t pieces_;
  std::vector<Cell> cells_;
  std::vector<uint32_t> next_;  // per node, the piece whose turn it is
  std::vector<Arrival> arrivals_{};
};

}  // namespace

std::optional<Plan> in_order_tree_reduce(const Problem& problem) {
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  std::vector<Parents> tried{Parents::kNearest, Parents::kFarthest, Parents::kLowest, Parents::kHighest};
  if (uint64_t{topology.num_nodes()} * problem.collective().pieces() > kMostTried) tried.resize(1);
  std::optional<Plan> best;
  for (const Parents parents : tried) {
    const Tree tree = tree_of(topology, root, parents);
    Plan plan;
    if (!Climb(problem, tree).run(plan)) continue;
    if (!best || plan.num_steps() < best->num_steps()) best = std::move(plan);
  }
  return best;
}

}  // namespace quadrille
