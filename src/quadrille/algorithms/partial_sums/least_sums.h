// Least sums: the shortest allreduce of one block that can be found on a small network.
//
// Sums along a narrow tree are there at once. Where they take more steps than data need to get around, shorter plans
// are searched for, step by step from that bound on: those first that look alike from all sides, since they
// are found, or refuted, in a moment.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/algorithms/prepared.h"

namespace quadrille {

struct LeastSums {
  SumPlan plan;
  std::vector<SumSlots> slots;
};

[[nodiscard]] Applicability least_sums_apply(const Problem& problem);
/// What this thread has been asked for lately is not searched for again: lenders, and cards of products, ask for
/// the same network once for every model that it serves. Null where no plan is worth making (graphs/worth_making).
[[nodiscard]] std::shared_ptr<const LeastSums> least_sums(const Problem& problem);
[[nodiscard]] Prediction least_sums_predicted(const Problem& problem,
                                              const std::shared_ptr<const LeastSums>& sums);
void push_least_sums(const Problem& problem, const std::shared_ptr<const LeastSums>& sums, StepSink& sink);

}  // namespace quadrille
