// Total exchange on a fat tree with one send port: every router works off its queues, the one for its parent
// first.
//
// A leaf sends its messages highest level first, and nothing else. A router keeps one first-in-first-out
// queue for each of its branches; in each step it sends the head of the queue for its parent or, if that is
// empty, of the next child's queue in turn, empty ones skipped. Nothing is agreed beforehand: this is what
// the routers would do by themselves.
//
// A router of level i sends N_i (n - N_i) messages up and N_i (n - N_(i-1)) down; the busiest router fixes
// the time, and none is kept waiting for work. With one arity k the routers below the root are the bottleneck
// for k = 2 and the root is for k >= 3 (which theorem 6.8 of the dissertation overlooks).
//
// Several children may send to a router in the same step. Where receptions are limited to one as well the
// same bound holds, since a router receives what it sends (bounds/fat_trees/fat_tree_routers.cc), but this
// rule breaks the limit: senders would have to agree on turns. alltoall_fat_tree_earliest_fit arranges
// them beforehand.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_fat_tree_queues;

namespace alltoall_fat_tree_queues_parts {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// With different arities no formula is known to hold: up to this many leaves the prediction is counted out.
constexpr uint32_t kMostCounted = 512;

class QueueingRouters {
 public:
  explicit QueueingRouters(const Problem& problem)
      : topology_(problem.topology()),
        tree_(topology_),
        queues_(topology_.num_arcs()),
        routers_(topology_.num_nodes()),
        next_(problem.collective().num_blocks(), kNone),
        turn_{0} {
    for (uint32_t l = 1; l <= tree_.height(); ++l) {
      turn_.push_back(tree_.below(l - 1));
      for (uint32_t leaf = 0; leaf < tree_.leaves(); leaf += tree_.below(l)) {
        routers_[index(tree_.ancestor(l, leaf))] = {l, leaf, 0, 0};
      }
    }
  }

  void run(StepSink& sink) {
    const uint32_t n = tree_.leaves();
    uint32_t level = tree_.height();
    while (level > 0 || !busy_.empty()) {
      arcs_.clear();
      blocks_.clear();
      if (level > 0) {
        for (uint32_t leaf = 0; leaf < n; ++leaf) {
          send(tree_.up(0, leaf), leaf * n + tree_.displaced(leaf, turn_[level]));
        }
        if (++turn_[level] == tree_.below(level)) --level;
      }
      for (const NodeId router : busy_) serve(router);
      StepView view;
      view.all_arcs = arcs_;
      view.all_blocks = blocks_;
      sink.push(view);
      std::erase_if(busy_, [this](NodeId router) { return routers_[index(router)].waiting == 0; });
      for (size_t t = 0; t < arcs_.size(); ++t) arrive(arcs_[t], static_cast<uint32_t>(index(blocks_[t])));
    }
  }

 private:
  struct Queue {
    uint32_t head = kNone;
    uint32_t tail = kNone;
  };
  struct Router {
    uint32_t level = 0;
    uint32_t first_leaf = 0;
    uint32_t waiting = 0;  // messages in all its queues
    uint32_t child = 0;    // whose turn it is
  };

  void send(ArcId arc, uint32_t block) {
    arcs_.push_back(arc);
    blocks_.push_back(BlockId{block});
  }

  // A router's arcs lead to its children from left to right, and the last, below the root, to its parent.
  void serve(NodeId node) {
    Router& router = routers_[index(node)];
    const IdRange<ArcId> arcs = topology_.arcs_from(node);
    const uint32_t children = tree_.arity(router.level);
    uint32_t chosen = children;
    if (router.level == tree_.height() || queues_[index(arcs[children])].head == kNone) {
      chosen = router.child;
      while (queues_[index(arcs[chosen])].head == kNone) chosen = chosen + 1 < children ? chosen + 1 : 0;
      router.child = chosen + 1 < children ? chosen + 1 : 0;
    }
    Queue& queue = queues_[index(arcs[chosen])];
    const uint32_t block = queue.head;
    queue.head = next_[block];
    --router.waiting;
    send(arcs[chosen], block);
  }

  void arrive(ArcId arc, uint32_t block) {
    const NodeId node = topology_.head(arc);
    Router& router = routers_[index(node)];
    if (router.level == 0) return;
    const uint32_t to = block % tree_.leaves();
    const bool is_below = to - router.first_leaf < tree_.below(router.level);
    Queue& queue = queues_[index(is_below ? tree_.down(router.level - 1, to)
                                          : tree_.up(router.level, router.first_leaf))];
    next_[block] = kNone;
    if (queue.head == kNone) {
      queue.head = block;
    } else {
      next_[queue.tail] = block;
    }
    queue.tail = block;
    if (router.waiting++ == 0) busy_.push_back(node);
  }

  const Topology& topology_;
  FatTree tree_;
  std::vector<Queue> queues_;    // per arc, at its tail
  std::vector<Router> routers_;  // per node
  std::vector<uint32_t> next_;   // per block: the one behind it in its queue
  std::vector<uint32_t> turn_;   // per level: the displacement that leaves send next
  std::vector<NodeId> busy_;     // routers with messages
  std::vector<ArcId> arcs_;      // of this step
  std::vector<BlockId> blocks_;
};

// What the busiest router sends, the steps before its first message has come and those after its last one.
uint64_t busiest_router(const FatTree& tree) {
  const uint64_t n = tree.leaves();
  uint64_t most = 0;
  for (uint32_t i = 1; i <= tree.height(); ++i) {
    const uint64_t below = tree.below(i);
    most = std::max(most, below * (n - below) + below * (n - tree.below(i - 1)) + 2 * uint64_t{i} - 1);
  }
  return most;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = fits_one_send_fat_tree(problem); !fits.applies) return fits;
  if (problem.model().receive.unlimited()) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs all receive ports, since several neighbours may send to a router at once; the model "
      "has {}",
      to_text(problem.model().receive)));
}

void generate(const Problem& problem, StepSink& sink) { QueueingRouters(problem).run(sink); }

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const FatTree tree(problem.topology());
  Prediction prediction{.busiest_link = 0};
  if (tree.is_uniform()) {
    prediction.steps = busiest_router(tree);
  } else if (tree.leaves() <= kMostCounted) {
    prediction.steps = plan.get().prediction().steps;
    prediction.measured = true;
  }
  prediction.start_ups = prediction.steps;
  for (uint32_t l = 0; l < tree.height(); ++l) {
    prediction.busiest_link =
        std::max(*prediction.busiest_link, uint64_t{tree.below(l)} * (tree.leaves() - tree.below(l)));
  }
  return prediction;
}

}  // namespace
}  // namespace alltoall_fat_tree_queues_parts

constinit const Algorithm alltoall_fat_tree_queues = {
    .name = "alltoall_fat_tree_queues",
    .collective = CollectiveKind::kAlltoall,
    .summary = "fat-tree routers serve one queue per branch, the queue towards the parent first",
    .source = "collective communication dissertation 1996, theorem 6.8, with its optimum corrected",
    .remarks =
        "any fat tree, one send port, any number of receptions; optimal with one arity: the sends of "
        "the busiest router",
    .applies = alltoall_fat_tree_queues_parts::applies,
    .prepare = by_measuring<alltoall_fat_tree_queues_parts::predicted,
                            alltoall_fat_tree_queues_parts::generate, Effort::kLittle>,
};

}  // namespace quadrille::algorithms
