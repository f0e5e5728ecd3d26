// Down a tree just in time: in every step a message carries all blocks that would come too late if they left later.
//
// It is planned from the end. Backwards in time everybody passes on to its parent, in each step, all that it has; so a block never waits
// where links and ports let it go, and the steps are no more than the tree is high, or few more where a node has fewer ports
// than children. Forwards, far blocks leave first, those of one distance in one message, and the root's links carry every
// block once: as few start-ups as there can be, and hardly more rounds than the fullest branch has destinations.
//
//     const JustInTime plan(problem, tree, {.most_rounds = 8});
//     plan.figures().critical_blocks;
//     plan.generate(problem, sink);
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

class JustInTime {
 public:
  /// Which child a parent hears first, backwards in time, where it has too few ports for all that have something.
  enum class First : uint8_t {
    kFarthest,  ///< who has the farthest blocks behind it
    kNearest,   ///< who has no far ones
    kMost,      ///< who has most to pass on
    kSmall      ///< of those who have least to come, or twice that, who has most to pass on
  };
  struct Limits {
    First first = First::kFarthest;
    uint64_t most_rounds = UINT64_MAX;  ///< of a step: smaller messages, and more of them
    uint64_t most_steps = UINT64_MAX;   ///< of the plan: beyond, nobody wants it
  };

  /// Of a scatter by packets, many a step.
  JustInTime(const Problem& problem, SpanningTree tree, Limits limits);

  /// Whether it is done within the limits.
  [[nodiscard]] bool is_done() const { return is_done_; }
  [[nodiscard]] const Prediction& figures() const { return figures_; }
  /// Whether some parent had fewer ports than children with something to pass on.
  [[nodiscard]] bool had_to_choose() const { return had_to_choose_; }
  /// Of a step that has most.
  [[nodiscard]] uint64_t rounds_of_fullest_step() const { return fullest_; }

  void generate(const Problem& problem, StepSink& sink) const;

 private:
  // From the end: a node sends so many blocks to its parent.
  struct Send {
    NodeId from;
    uint64_t blocks;
  };

  SpanningTree tree_;
  bool is_done_ = false;
  bool had_to_choose_ = false;
  uint64_t fullest_ = 0;
  Prediction figures_{};
  std::vector<Send> sends_{};
  std::vector<size_t> sends_end_{};  // per step
};

}  // namespace quadrille
