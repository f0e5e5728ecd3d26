// Allgather on a fat tree in which routers store at most one block for each branch that it came on: level
// after level, from the root down.
//
// While level l is exchanged, a leaf of each of the k subtrees below every node of level l sends its block in
// the same step. The k blocks climb side by side, reach the node, their apex, in the same step, and it spends
// the next k - 1 steps to send them crosswise: in the s-th of them, child c gets the block of child c + s.
// Below, every router copies what it gets to all its children in the next step. Then the next leaf of each
// subtree has its turn: k - 1 steps later, so that branches above the leaves carry less up than down. Two
// idle steps between the levels keep them apart; n + 2h - 2 steps in all, for any arities.
//
// Blocks pass the routers below their apex without being kept, so a leaf sends its block once for every
// level, and a router may get it again.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_fat_tree_queue_free;

namespace allgather_fat_tree_queue_free_parts {
namespace {

class LevelByLevel {
 public:
  explicit LevelByLevel(const FatTree& tree) : tree_(tree) {}

  [[nodiscard]] uint64_t steps() const { return uint64_t{tree_.leaves()} + 2 * uint64_t{tree_.height()} - 2; }

  void run(StepSink& sink) {
    for (uint64_t t = 0; t < steps(); ++t) {
      uint64_t start = 0;
      for (uint32_t l = tree_.height(); l > 0 && start <= t; --l) {
        climb(l, t - start);
        turn(l, t - start);
        start += uint64_t{tree_.below(l)} - tree_.below(l - 1) + 2;
      }
      fall();
      step_.flush(sink);
    }
  }

 private:
  struct Falling {
    uint32_t level;  // of the node that it falls to
    uint32_t leaf;   // the first one below that node
    BlockId block;
  };

  // Batch b of the exchange of a level starts in its step b (k - 1).
  void climb(uint32_t level, uint64_t t) {
    const uint32_t between = tree_.arity(level) - 1;
    const uint32_t batches = tree_.below(level - 1);
    for (uint32_t hop = 0; hop < level && hop <= t; ++hop) {
      const uint64_t batch = (t - hop) / between;
      if ((t - hop) % between != 0 || batch >= batches) continue;
      for (auto leaf = static_cast<uint32_t>(batch); leaf < tree_.leaves(); leaf += batches) {
        step_.add(tree_.up(hop, leaf), BlockId{leaf});
      }
    }
  }

  // The apexes pass the blocks of a batch on.
  void turn(uint32_t level, uint64_t t) {
    const uint32_t k = tree_.arity(level);
    const uint32_t subtree = tree_.below(level - 1);
    if (t < level || (t - level) / (k - 1) >= subtree) return;
    const auto batch = static_cast<uint32_t>((t - level) / (k - 1));
    const auto s = static_cast<uint32_t>((t - level) % (k - 1) + 1);
    for (uint32_t child = 0; child < tree_.leaves() / subtree; ++child) {
      const uint32_t other = child % k + s < k ? child + s : child + s - k;
      falling_.push_back({level - 1, child * subtree, BlockId{other * subtree + batch}});
    }
  }

  // Everything that falls goes one level down.
  void fall() {
    next_.clear();
    for (const Falling& f : falling_) {
      step_.add(tree_.down(f.level, f.leaf), f.block);
      if (f.level == 0) continue;
      const uint32_t child = tree_.below(f.level - 1);
      for (uint32_t leaf = f.leaf; leaf < f.leaf + tree_.below(f.level); leaf += child) {
        next_.push_back({f.level - 1, leaf, f.block});
      }
    }
    falling_.swap(next_);
  }

  const FatTree& tree_;
  StepBuilder step_;
  std::vector<Falling> falling_;
  std::vector<Falling> next_;
};

Prediction predicted(const Problem& problem) {
  const FatTree tree(problem.topology());
  uint32_t widest = 2;
  for (uint32_t l = 1; l <= tree.height(); ++l) widest = std::max(widest, tree.arity(l));
  const uint64_t steps = LevelByLevel(tree).steps();
  return {.steps = steps,
          .start_ups = steps,
          .busiest_link = tree.leaves() - 1,
          .queue = widest - 2,
          .queue_incoming = widest > 2 ? 1U : 0U};
}

void generate(const Problem& problem, StepSink& sink) {
  const FatTree tree(problem.topology());
  LevelByLevel(tree).run(sink);
}

}  // namespace
}  // namespace allgather_fat_tree_queue_free_parts

constinit const Algorithm allgather_fat_tree_queue_free = {
    .name = "allgather_fat_tree_queue_free",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "exchanges blocks between sister subtrees of a fat tree, level by level, storing one block per branch",
    .source = "collective communication dissertation 1996, figure 6.10",
    .remarks =
        "any fat tree, all ports; n+2h-2 steps, 2h-2 or 2h-3 from the optimum if one link joins a leaf "
        "to its router",
    .applies = fits_multiport_fat_tree,
    .prepare = by_formula<allgather_fat_tree_queue_free_parts::predicted,
                          allgather_fat_tree_queue_free_parts::generate>,
};

}  // namespace quadrille::algorithms
