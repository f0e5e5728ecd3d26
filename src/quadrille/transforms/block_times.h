// Block times: how early a transfer may come, given those before it that touched its blocks.
//
//     BlockTimes times(problem);
//     const size_t at = times.earliest(step, t);   // or later, where there is room
//     times.note(step, t, at);
//
// For whoever puts the transfers of a plan into other steps, one after another in the plan's order: not before what brought a
// block to its sender, at the receiver not before what read it there, and after what wrote it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class BlockTimes {
 public:
  explicit BlockTimes(const Problem& problem)
      : problem_(problem),
        blocks_(problem.collective().num_blocks()),
        moves_(problem.collective().flow() == Flow::kMove) {
    const uint64_t size = moves_ ? blocks_ : blocks_ * problem.topology().num_nodes();
    if (moves_ || size <= kMostDense) dense_.resize(size);
  }

  [[nodiscard]] size_t earliest(const StepView& step, size_t t) {
    size_t at = 0;
    for (const BlockId block : step.blocks(t)) {
      const Times& there = of(to(step, t), block);
      at = std::max<size_t>({at, of(from(step, t), block).read, adds(step, t) ? there.add : there.replace});
    }
    return at;
  }

  void note(const StepView& step, size_t t, size_t at) {
    const auto now = static_cast<uint32_t>(at);
    for (const BlockId block : step.blocks(t)) {
      // The sender's block may be changed from this step on: a step reads the state before it.
      Times& here = of(from(step, t), block);
      here.add = std::max(here.add, now);
      here.replace = std::max(here.replace, now);
      Times& there = of(to(step, t), block);
      there.read = std::max(there.read, now + 1);
      there.add = std::max(there.add, adds(step, t) ? now : now + 1);
      there.replace = std::max(there.replace, now + 1);
    }
  }

  /// Whether nodes exchange their contributions to a block in the step: one sends what it also receives, and what it sends
  /// is what it had before. Such a step stays together.
  [[nodiscard]] bool is_exchange(const StepView& step) {
    if (problem_.collective().flow() != Flow::kCombine) return false;
    written_.clear();
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t)) written_.insert(index(to(step, t)) * blocks_ + index(block));
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t))
        if (written_.contains(index(from(step, t)) * blocks_ + index(block))) return true;
    return false;
  }

 private:
  // Pairs of a node and a block up to which their times lie in one array.
  static constexpr uint64_t kMostDense = uint64_t{1} << 23U;

  // For a block at a node: the first step that may read it, add to it, or replace it.
  struct Times {
    uint32_t read = 0;
    uint32_t add = 0;
    uint32_t replace = 0;
  };

  [[nodiscard]] NodeId from(const StepView& step, size_t t) const {
    return problem_.topology().tail(step.arcs(t).front());
  }
  [[nodiscard]] NodeId to(const StepView& step, size_t t) const {
    return problem_.topology().head(step.arcs(t).back());
  }
  [[nodiscard]] bool adds(const StepView& step, size_t t) const {
    return problem_.collective().flow() == Flow::kCombine && step.op(t) == TransferOp::kDefault;
  }
  // Of blocks that move, which have one holder at a time, by block; else by node and block.
  [[nodiscard]] Times& of(NodeId node, BlockId block) {
    const uint64_t key = moves_ ? index(block) : index(node) * blocks_ + index(block);
    return dense_.empty() ? sparse_[key] : dense_[key];
  }

  const Problem& problem_;
  uint64_t blocks_;
  bool moves_;
  std::vector<Times> dense_{};
  std::unordered_map<uint64_t, Times> sparse_{};  // looked up only, never walked: the order does not matter
  std::unordered_set<uint64_t> written_{};
};

}  // namespace quadrille
