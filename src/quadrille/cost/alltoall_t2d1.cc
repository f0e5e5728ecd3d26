// T-2D1: the log-start-up exchange on square two-dimensional tori. Model only.
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_t2d1;

namespace alltoall_t2d1_parts {
namespace {

CostParts cost(const Problem& problem) {
  const uint64_t d = *square_exponent(problem.topology(), SquareShape::kTorus, 2);
  const int64_t square = static_cast<int64_t>(d * d) - static_cast<int64_t>(5 * d) + 3;
  const int64_t blocks = 9 * (int64_t{1} << (3 * d - 4)) + square * (int64_t{1} << (2 * d - 1));
  return {.start_ups = 3 * (d - 1), .critical_blocks = static_cast<uint64_t>(blocks)};
}

}  // namespace
}  // namespace alltoall_t2d1_parts

constinit const PublishedCost alltoall_t2d1 = {
    .name = "alltoall_t2d1",
    .collective = CollectiveKind::kAlltoall,
    .summary = "T-2D1: few start-ups on a square torus",
    .source = "Suh, Yalamanchili 1996, by Table 3 of Tseng, Ni, Sheu 1999",
    .formula = "3(d-1) start-ups, 9 2^(3d-4) + (d^2-5d+3) 2^(2d-1) blocks on 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kTorus, 2, 4); },
    .cost = alltoall_t2d1_parts::cost,
};

}  // namespace quadrille::published
