// Broadcast on a fat tree by a rule that needs no knowledge of the tree: a router that is informed from below
// informs its parent first and then its other children from left to right; one that is informed from above
// informs its children.
//
// With p send ports a router serves p branches a step. The parent goes first because its subtree takes
// longest; the children's subtrees are all alike. So no other order is faster: with one port
// h - 1 + k_1 + .. + k_h steps, (k+1)h - 1 with one arity; with all ports 2h.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_fat_tree;

namespace broadcast_fat_tree_parts {
namespace {

class ParentFirst {
 public:
  explicit ParentFirst(const Problem& problem)
      : topology_(problem.topology()), tree_(topology_), ports_(problem.model().send) {
    const NodeId root = topology_.endpoint(*problem.collective().root());
    steps_.push_back({{1, tree_.up(0, static_cast<uint32_t>(index(root)))}});
  }

  void run(StepSink& sink) {
    StepBuilder step;
    for (size_t s = 0; s < steps_.size(); ++s) {
      const std::vector<Transmission> now = std::move(steps_[s]);
      for (const Transmission& last : now) {
        step.add(last.arc, BlockId{0});
        if (last.level > 0) pass_on(last, s + 1);
      }
      step.flush(sink);
    }
  }

 private:
  struct Transmission {
    uint32_t level;  // of the node that is informed
    ArcId arc;
  };

  // The router that is informed passes the block on, from a step on. Its last arc, below the root, leads to
  // its parent.
  void pass_on(const Transmission& last, size_t first_step) {
    const IdRange<ArcId> arcs = topology_.arcs_from(topology_.head(last.arc));
    const ArcId back = topology_.reverse(last.arc);
    const uint32_t children = tree_.arity(last.level);
    uint32_t served = 0;
    const auto inform = [&](uint32_t i) {
      if (arcs[i] == back) return;
      const size_t step = first_step + (ports_.unlimited() ? 0 : served / ports_.count);
      if (steps_.size() <= step) steps_.resize(step + 1);
      steps_[step].push_back({i < children ? last.level - 1 : last.level + 1, arcs[i]});
      ++served;
    };
    if (arcs.size() > children) inform(children);
    for (uint32_t i = 0; i < children; ++i) inform(i);
  }

  const Topology& topology_;
  FatTree tree_;
  Ports ports_;
  std::vector<std::vector<Transmission>> steps_;  // what is sent in each step
};

Applicability applies(const Problem& problem) {
  // Nothing runs against anything: half duplex is as good as full.
  Model full = problem.model();
  full.duplex = Duplex::kFull;
  return fits_fat_tree(Problem(problem.topology(), problem.collective(), full));
}

void generate(const Problem& problem, StepSink& sink) { ParentFirst(problem).run(sink); }

Prediction predicted(const Problem& problem) {
  const FatTree tree(problem.topology());
  const Ports ports = problem.model().send;
  const auto steps_for = [ports](uint64_t branches) {
    return ports.unlimited() ? 1 : (branches + ports.count - 1) / ports.count;
  };
  // A router of level l is informed from below in step l, and has its parent and all but one child to inform.
  uint64_t down = 0;  // for the subtrees of its children, from above
  uint64_t steps = 0;
  for (uint32_t l = 1; l <= tree.height(); ++l) {
    const uint32_t branches = l < tree.height() ? tree.arity(l) : tree.arity(l) - 1;
    steps = std::max(steps, l + steps_for(branches) + down);
    down += steps_for(tree.arity(l));
  }
  return {.steps = steps, .start_ups = steps, .busiest_link = 1};
}

}  // namespace
}  // namespace broadcast_fat_tree_parts

constinit const Algorithm broadcast_fat_tree = {
    .name = "broadcast_fat_tree",
    .collective = CollectiveKind::kBroadcast,
    .summary = "a fat-tree router informs its parent first, then its children from left to right",
    .source = "collective communication dissertation 1996, theorem 6.1",
    .remarks = "any fat tree, any ports; optimal with one and with all ports: (k+1)h-1 and 2h steps",
    .applies = broadcast_fat_tree_parts::applies,
    .prepare = by_formula<broadcast_fat_tree_parts::predicted, broadcast_fat_tree_parts::generate>,
};

}  // namespace quadrille::algorithms
