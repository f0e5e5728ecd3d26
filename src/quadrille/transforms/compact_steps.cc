#include "quadrille/transforms/compact_steps.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "quadrille/transforms/step_reservations.h"

namespace quadrille {
namespace {

// Pairs of a node and a block up to which their times lie in one array.
constexpr uint64_t kMostDense = uint64_t{1} << 23U;

// For a block at a node: the first step that may read it, add to it, or replace it.
struct Times {
  uint32_t read = 0;
  uint32_t add = 0;
  uint32_t replace = 0;
};

// By node and block; of blocks that move, which have one holder at a time, by block.
class TimesTable {
 public:
  explicit TimesTable(const Problem& problem)
      : blocks_(problem.collective().num_blocks()), moves_(problem.collective().flow() == Flow::kMove) {
    const uint64_t size = moves_ ? blocks_ : blocks_ * problem.topology().num_nodes();
    if (moves_ || size <= kMostDense) dense_.resize(size);
  }

  [[nodiscard]] Times& at(NodeId node, BlockId block) {
    const uint64_t key = moves_ ? index(block) : index(node) * blocks_ + index(block);
    return dense_.empty() ? sparse_[key] : dense_[key];
  }

 private:
  uint64_t blocks_;
  bool moves_;
  std::vector<Times> dense_;
  std::unordered_map<uint64_t, Times> sparse_;  // looked up only, never walked: the order does not matter
};

class Compactor {
 public:
  Compactor(const Problem& problem, const Plan& plan)
      : problem_(problem), plan_(plan), machine_(problem), times_(problem) {
    step_of_.reserve(plan.num_transfers());
  }

  [[nodiscard]] Plan compact() {
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      if (problem_.collective().flow() == Flow::kCombine && reads_what_it_writes(step)) {
        place_together(step);
        continue;
      }
      for (size_t t = 0; t < step.size(); ++t) {
        const size_t at = machine_.first_free(step.arcs(t), earliest(step, t));
        take(step, t, at);
        note(step, t, at);
      }
    }
    return in_order();
  }

 private:
  [[nodiscard]] NodeId from(const StepView& step, size_t t) const {
    return problem_.topology().tail(step.arcs(t).front());
  }
  [[nodiscard]] NodeId to(const StepView& step, size_t t) const {
    return problem_.topology().head(step.arcs(t).back());
  }
  [[nodiscard]] bool adds(const StepView& step, size_t t) const {
    return problem_.collective().flow() == Flow::kCombine && step.op(t) == TransferOp::kDefault;
  }

  // Whether a node sends, in the step, a block that it also receives: what it sends is what it had before.
  [[nodiscard]] bool reads_what_it_writes(const StepView& step) {
    const uint64_t blocks = problem_.collective().num_blocks();
    written_.clear();
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t)) written_.insert(index(to(step, t)) * blocks + index(block));
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t))
        if (written_.contains(index(from(step, t)) * blocks + index(block))) return true;
    return false;
  }

  [[nodiscard]] size_t earliest(const StepView& step, size_t t) {
    size_t at = 0;
    for (const BlockId block : step.blocks(t)) {
      const Times& there = times_.at(to(step, t), block);
      at = std::max<size_t>(
          {at, times_.at(from(step, t), block).read, adds(step, t) ? there.add : there.replace});
    }
    return at;
  }

  void take(const StepView& step, size_t t, size_t at) {
    machine_.use(step.arcs(t), at);
    step_of_.push_back(static_cast<uint32_t>(at));
    steps_ = std::max(steps_, at + 1);
  }

  void note(const StepView& step, size_t t, size_t at) {
    const auto now = static_cast<uint32_t>(at);
    for (const BlockId block : step.blocks(t)) {
      // The sender's block may be changed from this step on: a step reads the state before it.
      Times& here = times_.at(from(step, t), block);
      here.add = std::max(here.add, now);
      here.replace = std::max(here.replace, now);
      Times& there = times_.at(to(step, t), block);
      there.read = std::max(there.read, now + 1);
      there.add = std::max(there.add, adds(step, t) ? now : now + 1);
      there.replace = std::max(there.replace, now + 1);
    }
  }

  // Nodes that exchange their contributions to a block must do so at once: in a new step after all others,
  // which is none later than the old one.
  void place_together(const StepView& step) {
    size_t at = 0;
    for (size_t t = 0; t < step.size(); ++t) at = std::max(at, earliest(step, t));
    at = std::max(at, steps_);
    for (size_t t = 0; t < step.size(); ++t) take(step, t, at);
    for (size_t t = 0; t < step.size(); ++t) note(step, t, at);
  }

  // The transfers of a step in the order of the old plan.
  [[nodiscard]] Plan in_order() const {
    std::vector<uint64_t> next(steps_ + 1, 0);
    for (const uint32_t step : step_of_) ++next[step + 1];
    for (size_t s = 0; s < steps_; ++s) next[s + 1] += next[s];
    const std::vector<uint64_t> begin = next;
    struct Old {
      uint32_t step;
      uint32_t transfer;
    };
    std::vector<Old> sorted(step_of_.size());
    size_t k = 0;
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const size_t size = plan_.step(s).size();
      for (size_t t = 0; t < size; ++t, ++k)
        sorted[next[step_of_[k]]++] = {static_cast<uint32_t>(s), static_cast<uint32_t>(t)};
    }
    Plan out;
    StepBuilder builder;
    for (size_t s = 0; s < steps_; ++s) {
      if (begin[s] == begin[s + 1]) continue;
      for (uint64_t i = begin[s]; i < begin[s + 1]; ++i) {
        const StepView step = plan_.step(sorted[i].step);
        const size_t t = sorted[i].transfer;
        builder.add(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
      }
      builder.flush(out);
    }
    return out;
  }

  const Problem& problem_;
  const Plan& plan_;
  StepReservations machine_;
  TimesTable times_;
  std::vector<uint32_t> step_of_;  // of every transfer, in the order of the plan
  size_t steps_ = 0;
  std::unordered_set<uint64_t> written_;
};

// Steps in which arcs are shared are full only where somebody says how many rounds they may take.
Plan without_empty_steps(const Plan& plan) {
  Plan out;
  for (size_t s = 0; s < plan.num_steps(); ++s)
    if (plan.step(s).size() > 0) out.push(plan.step(s));
  return out;
}

}  // namespace

Plan compact_steps(const Problem& problem, const Plan& plan) {
  if (shares_arcs(problem.model())) return without_empty_steps(plan);
  return Compactor(problem, plan).compact();
}

}  // namespace quadrille
