#include "quadrille/transforms/compact_steps.h"

#include <algorithm>
#include <vector>

#include "quadrille/transforms/block_times.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {
namespace {

class Compactor {
 public:
  Compactor(const Problem& problem, const Plan& plan) : plan_(plan), machine_(problem), times_(problem) {
    step_of_.reserve(plan.num_transfers());
  }

  [[nodiscard]] Plan compact() {
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      const StepView step = plan_.step(s);
      if (times_.is_exchange(step)) {
        place_together(step);
        continue;
      }
      for (size_t t = 0; t < step.size(); ++t) {
        const size_t at = machine_.first_free(step.arcs(t), times_.earliest(step, t));
        take(step, t, at);
        times_.note(step, t, at);
      }
    }
    return in_order();
  }

 private:
  void take(const StepView& step, size_t t, size_t at) {
    machine_.use(step.arcs(t), at);
    step_of_.push_back(static_cast<uint32_t>(at));
    steps_ = std::max(steps_, at + 1);
  }

  // Nodes that exchange their contributions to a block must do so at once: in a new step after all others,
  // which is none later than the old one.
  void place_together(const StepView& step) {
    size_t at = 0;
    for (size_t t = 0; t < step.size(); ++t) at = std::max(at, times_.earliest(step, t));
    at = std::max(at, steps_);
    for (size_t t = 0; t < step.size(); ++t) take(step, t, at);
    for (size_t t = 0; t < step.size(); ++t) times_.note(step, t, at);
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

  const Plan& plan_;
  StepReservations machine_;
  BlockTimes times_;
  std::vector<uint32_t> step_of_;  // of every transfer, in the order of the plan
  size_t steps_ = 0;
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
