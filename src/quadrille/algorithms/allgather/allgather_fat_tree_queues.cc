// Allgather on a fat tree with one send port: every router passes all that comes from below up first, and
// then serves its children in turn.
//
// A router has one first-in-first-out queue for each branch, and a message goes into those of all branches
// but the one that it came on. Until the blocks of all leaves below it have gone up, a router sends to its
// parent only; then to its children in turn, empty queues skipped. Every router below the root has k n
// messages to send; the one on level h-1 gets its first in step h-1 and what it sends last takes k(h-2) more
// steps: kn + (k+1)(h-2) + 1, which no other order can beat.
//
// Where receptions are limited as well, routers choose in turn, the root first, each only among those that
// can still receive in this step, and one that may not send up serves a child meanwhile. A router receives
// each block once and sends it k times, so it is hardly held back: with one arity the plan has been at most k
// - 1 steps longer, wherever it was tried (one step for k = 2).
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_fat_tree_queues;

namespace allgather_fat_tree_queues_parts {
namespace {

// With different arities, or with limited receptions, no formula is known to hold: up to this many leaves the
// prediction is counted out.
constexpr uint32_t kMostCounted = 512;

class CopyingRouters {
 public:
  explicit CopyingRouters(const Problem& problem)
      : topology_(problem.topology()),
        tree_(topology_),
        receive_(problem.model().receive),
        queues_(topology_.num_arcs()),
        nodes_(topology_.num_nodes()) {
    for (uint32_t l = tree_.height() + 1; l-- > 0;) {
      for (uint32_t leaf = 0; leaf < tree_.leaves(); leaf += tree_.below(l)) {
        const NodeId node = tree_.ancestor(l, leaf);
        nodes_[index(node)] = {l, l == tree_.height() ? 0 : tree_.below(l), 0, 0};
        order_.push_back(node);
      }
    }
    for (uint32_t leaf = 0; leaf < tree_.leaves(); ++leaf)
      queues_[index(tree_.up(0, leaf))].blocks.push_back(BlockId{leaf});
  }

  void run(StepSink& sink) {
    StepBuilder step;
    do {
      arrive(step.view());
      if (!step.empty()) step.flush(sink);
      for (Node& node : nodes_) node.received = 0;
      for (const NodeId node : order_) serve(node, step);
    } while (!step.empty());
  }

 private:
  struct Queue {
    std::vector<BlockId> blocks;
    size_t next = 0;
    [[nodiscard]] bool empty() const { return next == blocks.size(); }
  };
  struct Node {
    uint32_t level = 0;
    uint32_t to_go_up = 0;  // blocks of its leaves that its parent has not got
    uint32_t child = 0;     // whose turn it is
    uint32_t received = 0;  // in this step
  };

  void serve(NodeId node, StepBuilder& step) {
    Node& sender = nodes_[index(node)];
    const IdRange<ArcId> arcs = topology_.arcs_from(node);
    const uint32_t children = sender.level == 0 ? 0 : tree_.arity(sender.level);
    if (sender.to_go_up > 0) {
      if (send(arcs[children], step)) {
        --sender.to_go_up;
        return;
      }
      if (receive_.unlimited()) return;
    }
    for (uint32_t tried = 0; tried < children; ++tried) {
      const uint32_t chosen = sender.child;
      sender.child = chosen + 1 < children ? chosen + 1 : 0;
      if (send(arcs[chosen], step)) return;
    }
  }

  bool send(ArcId arc, StepBuilder& step) {
    Queue& queue = queues_[index(arc)];
    Node& receiver = nodes_[index(topology_.head(arc))];
    if (queue.empty() || (!receive_.unlimited() && receiver.received == receive_.count)) return false;
    ++receiver.received;
    step.add(arc, queue.blocks[queue.next++]);
    return true;
  }

  void arrive(const StepView& step) {
    for (size_t t = 0; t < step.size(); ++t) {
      const ArcId came = step.all_arcs[t];
      const NodeId node = topology_.head(came);
      if (nodes_[index(node)].level == 0) continue;
      const IdRange<ArcId> arcs = topology_.arcs_from(node);
      const ArcId back = topology_.reverse(came);
      for (const ArcId arc : arcs) {
        if (arc != back) queues_[index(arc)].blocks.push_back(step.all_blocks[t]);
      }
    }
  }

  const Topology& topology_;
  FatTree tree_;
  Ports receive_;
  std::vector<Queue> queues_;  // per arc, at its tail
  std::vector<Node> nodes_;
  std::vector<NodeId> order_;  // from the root to the leaves
};

// What a router sends, the steps before its first message has come and those after its last one.
uint64_t busiest_router(const FatTree& tree) {
  const uint64_t n = tree.leaves();
  uint64_t most = 0;
  uint64_t lower = 0;  // the arities of the levels below
  for (uint32_t i = 1; i <= tree.height(); ++i) {
    const uint64_t copies = i < tree.height() ? tree.arity(i) : tree.arity(i) - 1;
    most = std::max(most, copies * n + i + lower);
    lower += tree.arity(i);
  }
  return most;
}

void generate(const Problem& problem, StepSink& sink) { CopyingRouters(problem).run(sink); }

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const FatTree tree(problem.topology());
  const uint32_t n = tree.leaves();
  Prediction prediction{.busiest_link = n - 1};
  if (tree.is_uniform() && problem.model().receive.unlimited()) {
    prediction.steps = busiest_router(tree);
  } else if (n <= kMostCounted) {
    prediction.steps = plan.get().prediction().steps;
    prediction.measured = true;
  }
  prediction.start_ups = prediction.steps;
  return prediction;
}

}  // namespace
}  // namespace allgather_fat_tree_queues_parts

constinit const Algorithm allgather_fat_tree_queues = {
    .name = "allgather_fat_tree_queues",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "fat-tree routers first forward the blocks of their leaves to the parent, then serve their children in turn",
    .source = "collective communication dissertation 1996, theorem 6.5",
    .remarks =
        "any fat tree, one send port, any receive ports; kn+(k+1)(h-2)+1 steps with one arity and all of them "
        "(k(k-1)+1 if h = 1), which is optimal; with one at most k-1 more where tried",
    .applies = fits_one_send_fat_tree,
    .prepare = by_measuring<allgather_fat_tree_queues_parts::predicted,
                            allgather_fat_tree_queues_parts::generate, Effort::kLittle>,
};

}  // namespace quadrille::algorithms
