// Total exchange in H^d, d = 2, 4, 8, .., by algorithm A3: TEA and TEB side by side, round by round.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/products/algorithm_a3.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_product_a3;

namespace alltoall_product_a3_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  return is_even_power(problem.topology());
}

AlgorithmA3 plan_of(const Problem& problem) { return {problem, factor_candidates()}; }
Prediction predicted(const Problem& /*problem*/, const AlgorithmA3& plan) { return plan.prediction(); }
void generate(const Problem& /*problem*/, const AlgorithmA3& plan, StepSink& sink) { plan.generate(sink); }

}  // namespace
}  // namespace alltoall_product_a3_parts

constinit const Algorithm alltoall_product_a3 = {
    .name = "alltoall_product_a3",
    .collective = CollectiveKind::kAlltoall,
    .summary = "both halves of the dimensions at once, one feeding the other's next round",
    .source =
        "collective communication dissertation 1996, algorithm A3 (figure 5.5); total exchange 1998, figure 6",
    .remarks =
        "d equal factors, d = 2, 4, 8, .., all ports; n^(d-1) T steps; optimal where T is the cut bound of the "
        "factor; alltoall_product_rounds takes as many for every d",
    .applies = alltoall_product_a3_parts::applies,
    .prepare = by_search<alltoall_product_a3_parts::plan_of, alltoall_product_a3_parts::predicted,
                         alltoall_product_a3_parts::generate>,
};

}  // namespace quadrille::algorithms
