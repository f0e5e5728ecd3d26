// Gather on a fat tree, by routers that hold nothing back: every node sends on what it has, as much as its
// branch and its ports let through.
//
// All blocks have one destination, so at any node one is as good as another, and no schedule can have brought
// more of them across any branch at any time: optimal for all arities, capacities and send ports. With unit
// capacities, or one send port: n steps, n + 1 if k_1 = 2 and h >= 2.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm gather_fat_tree;

namespace gather_fat_tree_parts {
namespace {

class TowardsRoot {
 public:
  explicit TowardsRoot(const Problem& problem)
      : ports_(problem.model().send), out_(problem.topology().num_nodes()) {
    const Topology& topology = problem.topology();
    const FatTree tree(topology);
    const uint32_t n = tree.leaves();
    root_ = topology.endpoint(*problem.collective().root());
    for (uint32_t l = 0; l < tree.height(); ++l) {
      for (uint32_t leaf = 0; leaf < n; leaf += tree.below(l)) {
        set_out(topology, tree.ancestor(l, leaf), tree.up(l, leaf));
      }
    }
    // Ancestors of the root lead down to it.
    const auto root = static_cast<uint32_t>(index(root_));
    for (uint32_t l = 1; l <= tree.height(); ++l) {
      set_out(topology, tree.ancestor(l, root), tree.down(l - 1, root));
    }
    for (uint32_t leaf = 0; leaf < n; ++leaf) {
      if (leaf == root) continue;
      out_[leaf].blocks.push_back(problem.collective().block(Rank{leaf}));
      busy_.push_back(NodeId{leaf});
    }
  }

  void run(StepSink& sink) {
    StepBuilder step;
    std::vector<NodeId> heads;
    while (!busy_.empty()) {
      heads.clear();
      for (const NodeId node : busy_) {
        Out& out = out_[index(node)];
        for (uint32_t i = 0; i < out.width && out.sent < out.blocks.size(); ++i) {
          step.add(out.arc, out.blocks[out.sent++]);
          heads.push_back(out.head);
        }
      }
      std::erase_if(busy_, [this](NodeId node) { return out_[index(node)].is_empty(); });
      const StepView view = step.view();
      for (size_t t = 0; t < heads.size(); ++t) {
        if (heads[t] == root_) continue;
        Out& out = out_[index(heads[t])];
        if (out.is_empty()) busy_.push_back(heads[t]);
        out.blocks.push_back(view.all_blocks[t]);
      }
      step.flush(sink);
    }
  }

 private:
  // A node's way to the root, and what it has had to send.
  struct Out {
    ArcId arc{};
    NodeId head{};
    uint32_t width = 0;
    size_t sent = 0;
    std::vector<BlockId> blocks;
    [[nodiscard]] bool is_empty() const { return sent == blocks.size(); }
  };

  void set_out(const Topology& topology, NodeId node, ArcId arc) {
    Out& out = out_[index(node)];
    out.arc = arc;
    out.head = topology.head(arc);
    out.width = ports_.unlimited() ? topology.capacity(arc) : std::min(topology.capacity(arc), ports_.count);
  }

  Ports ports_;
  NodeId root_{};
  std::vector<Out> out_;      // per node
  std::vector<NodeId> busy_;  // nodes with something to send
};

Applicability applies(const Problem& problem) {
  // Everything runs towards the root: half duplex is as good as full.
  Model full = problem.model();
  full.duplex = Duplex::kFull;
  if (Applicability fits = fits_fat_tree(Problem(problem.topology(), problem.collective(), full));
      !fits.applies) {
    return fits;
  }
  if (problem.model().receive.unlimited()) return Applicability::yes();
  return Applicability::no(
      "it needs all receive ports, since several neighbours may send to a router at once; with fewer, "
      "gather_furthest_first takes as many steps as one branch a step");
}

void generate(const Problem& problem, StepSink& sink) { TowardsRoot(problem).run(sink); }

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const Prediction measured = plan.get().prediction();
  return {.steps = measured.steps,
          .start_ups = measured.start_ups,
          .busiest_link = problem.topology().num_endpoints() - 1,
          .measured = true};
}

}  // namespace
}  // namespace gather_fat_tree_parts

constinit const Algorithm gather_fat_tree = {
    .name = "gather_fat_tree",
    .collective = CollectiveKind::kGather,
    .summary = "every node of the fat tree forwards whatever it has, as fast as its branch carries",
    .source = "collective communication dissertation 1996, theorem 6.2, for any capacities",
    .remarks = "any fat tree, any capacities and send ports, all receive ports; optimal",
    .applies = gather_fat_tree_parts::applies,
    .prepare =
        by_measuring<gather_fat_tree_parts::predicted, gather_fat_tree_parts::generate, Effort::kLittle>,
};

}  // namespace quadrille::algorithms
