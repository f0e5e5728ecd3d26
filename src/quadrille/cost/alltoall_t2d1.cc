// T-2D1: the log-start-up exchange on square two-dimensional tori. Model only.
#include "quadrille/cost/power_of_two_tori.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_t2d1;

namespace alltoall_t2d1_parts {
namespace {

CostParts cost(const Problem& problem) {
  return power_of_two_tori::t2d1(*square_exponent(problem.topology(), SquareShape::kTorus, 2));
}

}  // namespace
}  // namespace alltoall_t2d1_parts

constinit const PublishedCost alltoall_t2d1 = {
    .name = "alltoall_t2d1",
    .collective = CollectiveKind::kAlltoall,
    .summary = "T-2D1: few start-ups on a square torus; better over hubs: alltoall_wormhole_hubs",
    .source = "Suh, Yalamanchili 1996, by Table 3 of Tseng, Ni, Sheu 1999",
    .formula = "3(d-1) start-ups, 9 2^(3d-4) + (d^2-5d+3) 2^(2d-1) blocks on 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kTorus, 2, 4); },
    .cost = alltoall_t2d1_parts::cost,
};

}  // namespace quadrille::published
