// Total exchange in a product by algorithm A1 with lines 1 to 4 in parallel for all copies of B (section 5.3).
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/products/algorithm_a1.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_product_a1_parallel;

namespace alltoall_product_a1_parallel_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  return is_product_of_two(problem.topology());
}

AlgorithmA1 plan_of(const Problem& problem) { return {problem, factor_candidates(), CopiesOfB::kAllAtOnce}; }
Prediction predicted(const Problem& /*problem*/, const AlgorithmA1& plan) { return plan.prediction(); }
void generate(const Problem& /*problem*/, const AlgorithmA1& plan, StepSink& sink) { plan.generate(sink); }

}  // namespace
}  // namespace alltoall_product_a1_parallel_parts

constinit const Algorithm alltoall_product_a1_parallel = {
    .name = "alltoall_product_a1_parallel",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "messages go, in all copies of the last factor at once, into the copy of the others that they are for, "
        "which then exchanges them",
    .source =
        "collective communication dissertation 1996, algorithm A1 with lines 1 to 4 in the improved form of "
        "section 5.3; total exchange 1998, figure 3",
    .remarks =
        "any product of two factors or more, any ports; as the papers have it, not for speed: "
        "n_2 (n_2-1) (n_1-1) + S_B + n_2 T_A steps, where alltoall_product takes n_1 T_B + n_2 T_A",
    .applies = alltoall_product_a1_parallel_parts::applies,
    .prepare =
        by_search<alltoall_product_a1_parallel_parts::plan_of, alltoall_product_a1_parallel_parts::predicted,
                  alltoall_product_a1_parallel_parts::generate>,
};

}  // namespace quadrille::algorithms
