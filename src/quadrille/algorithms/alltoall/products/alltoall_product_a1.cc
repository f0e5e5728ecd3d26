// Total exchange in a product by algorithm A1 as it stands: transfer after transfer, then exchanges.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/products/algorithm_a1.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_product_a1;

namespace alltoall_product_a1_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  return is_product_of_two(problem.topology());
}

AlgorithmA1 plan_of(const Problem& problem) {
  return {problem, factor_candidates(), CopiesOfB::kOneAfterAnother};
}
Prediction predicted(const Problem& /*problem*/, const AlgorithmA1& plan) { return plan.prediction(); }
void generate(const Problem& /*problem*/, const AlgorithmA1& plan, StepSink& sink) { plan.generate(sink); }

}  // namespace
}  // namespace alltoall_product_a1_parts

constinit const Algorithm alltoall_product_a1 = {
    .name = "alltoall_product_a1",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "messages go, one transfer after another, into the copy of the first factor that they are for, which "
        "then exchanges them",
    .source =
        "collective communication dissertation 1996, algorithm A1 (figure 5.2); total exchange 1998, figure 3",
    .remarks =
        "any product of two factors or more, any ports; as the papers have it, not for speed: "
        "n_1 (n_2 (n_2-1) (n_1-1) + S_B) + n_2 T_A steps, where alltoall_product takes n_1 T_B + n_2 T_A",
    .applies = alltoall_product_a1_parts::applies,
    .prepare = by_search<alltoall_product_a1_parts::plan_of, alltoall_product_a1_parts::predicted,
                         alltoall_product_a1_parts::generate>,
};

}  // namespace quadrille::algorithms
