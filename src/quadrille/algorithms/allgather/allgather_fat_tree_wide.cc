// Allgather on a fat tree by flooding that fills its branches: a router passes what comes on one branch on to
// all others, each of which takes as many blocks a step as it is wide.
//
// A router has one first-in-first-out queue for each branch, and a block goes into those of all branches but
// the one that it came on. Every queue with something in it sends in every step. With one link at each leaf,
// that link is then never idle from step 2 on (from step 3 on for one block, with two leaves at a router): n
// steps, n + 1 if k_1 = 2 and h >= 2, whatever the arities and capacities above. Where c_1 links join a leaf
// to its router about n / c_1 steps are enough, if the branches above are as wide.
//
// The price is room: routers keep what they could not pass on yet.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_fat_tree_wide;

namespace allgather_fat_tree_wide_parts {
namespace {

// Where several links join a leaf to its router no formula is known: up to this many leaves the prediction is
// counted out.
constexpr uint32_t kMostCounted = 512;

class WideFlooding {
 public:
  explicit WideFlooding(const Problem& problem)
      : topology_(problem.topology()), queues_(topology_.num_arcs()) {
    const uint32_t n = topology_.num_endpoints();
    for (uint32_t leaf = 0; leaf < n; ++leaf)
      put(topology_.arcs_from(topology_.endpoint(Rank{leaf}))[0], BlockId{leaf});
  }

  void run(StepSink& sink) {
    StepBuilder step;
    std::vector<ArcId> busy;
    while (!busy_.empty()) {
      busy.clear();
      busy.swap(busy_);
      for (const ArcId arc : busy) send(arc, step);
      const StepView view = step.view();
      for (size_t t = 0; t < view.size(); ++t) arrive(view.all_arcs[t], view.all_blocks[t]);
      step.flush(sink);
    }
  }

 private:
  struct Queue {
    std::vector<BlockId> blocks;
    size_t next = 0;
  };

  void put(ArcId arc, BlockId block) {
    Queue& queue = queues_[index(arc)];
    if (queue.next == queue.blocks.size()) busy_.push_back(arc);
    queue.blocks.push_back(block);
  }

  // An arc that has more stays busy.
  void send(ArcId arc, StepBuilder& step) {
    Queue& queue = queues_[index(arc)];
    for (uint32_t room = topology_.capacity(arc); room > 0 && queue.next < queue.blocks.size(); --room)
      step.add(arc, queue.blocks[queue.next++]);
    if (queue.next < queue.blocks.size()) busy_.push_back(arc);
  }

  void arrive(ArcId came, BlockId block) {
    const NodeId node = topology_.head(came);
    if (topology_.rank(node)) return;
    const ArcId back = topology_.reverse(came);
    for (const ArcId arc : topology_.arcs_from(node)) {
      if (arc != back) put(arc, block);
    }
  }

  const Topology& topology_;
  std::vector<Queue> queues_;  // per arc, at its tail
  std::vector<ArcId> busy_;    // those with something in their queue
};

void generate(const Problem& problem, StepSink& sink) { WideFlooding(problem).run(sink); }

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const FatTree tree(problem.topology());
  const uint64_t n = tree.leaves();
  Prediction prediction{.busiest_link = n - 1};
  if (tree.capacity(1) == 1) {
    prediction.steps = n + (tree.arity(1) == 2 && tree.height() >= 2 ? 1 : 0);
  } else if (n <= kMostCounted) {
    prediction.steps = plan.get().prediction().steps;
    prediction.measured = true;
  }
  prediction.start_ups = prediction.steps;
  return prediction;
}

}  // namespace
}  // namespace allgather_fat_tree_wide_parts

constinit const Algorithm allgather_fat_tree_wide = {
    .name = "allgather_fat_tree_wide",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "floods all blocks through a fat tree with unlimited buffers, as many per step as each branch carries",
    .source = "collective communication dissertation 1996, theorem 6.9, with branches of any width",
    .remarks =
        "any fat tree, any arities and capacities, all ports; n steps, n+1 if routers have two leaves, which "
        "is optimal with one link at each leaf; with c of them about n/c",
    .applies = fits_multiport_fat_tree,
    .prepare = by_measuring<allgather_fat_tree_wide_parts::predicted, allgather_fat_tree_wide_parts::generate,
                            Effort::kLittle>,
};

}  // namespace quadrille::algorithms
