#include "quadrille/algorithms/measured_plan.h"

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostBytesOfPart = uint64_t{1} << 22U;
constexpr uint64_t kBytesOfStep = 40;  // even of an empty one

uint64_t bytes_of(const StepView& step) {
  return step.all_arcs.size_bytes() + step.arcs_end.size_bytes() + step.all_blocks.size_bytes() +
         step.blocks_end.size_bytes() + step.ops.size_bytes();
}

}  // namespace

bool is_quick_to_measure(const Problem& problem, uint32_t most_ranks) {
  const uint64_t ranks = problem.collective().num_ranks();
  return ranks * ranks * problem.collective().pieces() <= uint64_t{most_ranks} * most_ranks;
}

MeasuredPlan::MeasuredPlan(const Problem& problem, uint64_t most_bytes) : most_bytes_(most_bytes) {
  const Model& model = problem.model();
  const auto capacities = problem.topology().capacities();
  const bool fills_wide = model.switching == Switching::kPacket && carries_many(model) &&
                          std::ranges::any_of(capacities, [](uint32_t capacity) { return capacity > 1; });
  if (!shares_arcs(model) && !fills_wide) return;
  shared_ = problem.topology();
  on_link_.assign(shared_->num_arcs(), 0);
}

uint64_t MeasuredPlan::rounds_on_links(const StepView& step) {
  uint64_t rounds = 0;
  for (size_t t = 0; t < step.size(); ++t) {
    for (const ArcId arc : step.arcs(t)) {
      on_link_[index(arc)] += step.blocks(t).size();
      const uint64_t capacity = shared_->capacity(arc);
      rounds = std::max(rounds, (on_link_[index(arc)] + capacity - 1) / capacity);
    }
  }
  for (size_t t = 0; t < step.size(); ++t)
    for (const ArcId arc : step.arcs(t)) on_link_[index(arc)] = 0;
  return rounds;
}

void MeasuredPlan::push(const StepView& step) {
  size_t most = 0;
  size_t farthest = 0;
  for (size_t t = 0; t < step.size(); ++t) {
    most = std::max(most, step.blocks(t).size());
    farthest = std::max(farthest, step.arcs(t).size());
  }
  steps_ += 1;
  start_ups_ += most > 0 ? 1 : 0;
  critical_blocks_ += shared_ ? rounds_on_links(step) : most;
  critical_hops_ += farthest;
  if (!is_kept_) return;
  const uint64_t part = bytes_ / kMostBytesOfPart;
  bytes_ += bytes_of(step) + kBytesOfStep;
  if (bytes_ > most_bytes_) {
    is_kept_ = false;
    parts_ = {};
    return;
  }
  if (parts_.empty() || bytes_ / kMostBytesOfPart != part) parts_.emplace_back();
  parts_.back().push(step);
}

SymmetricSink* MeasuredPlan::symmetric() {
  return most_bytes_ == 0 && shared_ && shared_->cayley() != nullptr && !shared_->has_routers() ? this
                                                                                                : nullptr;
}

// By the links of one node.
void MeasuredPlan::push_symmetric(std::span<const SymmetricMove> moves) {
  const CayleyStructure& cayley = *shared_->cayley();
  std::vector<uint64_t> used(cayley.generators.size(), 0);
  uint64_t rounds = 0;
  for (const SymmetricMove& move : moves) {
    const uint64_t capacity = shared_->capacity(cayley.arc(NodeId{0}, move.generator));
    rounds = std::max(rounds, (++used[move.generator] + capacity - 1) / capacity);
  }
  steps_ += 1;
  start_ups_ += moves.empty() ? 0 : 1;
  critical_blocks_ += rounds;
  critical_hops_ += moves.empty() ? 0 : 1;
  is_kept_ = false;
}

Prediction MeasuredPlan::prediction() const {
  return {.steps = steps_,
          .start_ups = start_ups_,
          .critical_blocks = critical_blocks_,
          .critical_hops = critical_hops_,
          .measured = true};
}

void MeasuredPlan::replay(StepSink& sink) const {
  QUADRILLE_CHECK(is_kept_, "a plan that was not kept");
  for (const Plan& part : parts_) part.replay(sink);
}

PreparedPlan prepare_measured(const Problem& problem, MeasuredPrediction predicted,
                              void (*generate)(const Problem&, StepSink&), Effort effort) {
  const auto measure = [generate](const Problem& p) {
    MeasuredPlan plan(p);
    generate(p, plan);
    return plan;
  };
  const auto read_out = [generate](const Problem& p, Once<MeasuredPlan>& plan, StepSink& sink) {
    if (plan.is_made() && plan.get().is_kept()) return plan.get().replay(sink);
    generate(p, sink);
  };
  return sharing(problem, measure, predicted, read_out, effort);
}

}  // namespace quadrille
