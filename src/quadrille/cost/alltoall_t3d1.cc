// T-3D1: the log-start-up exchange on cubic tori. Model only.
#include "quadrille/cost/power_of_two_tori.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_t3d1;

namespace alltoall_t3d1_parts {
namespace {

CostParts cost(const Problem& problem) {
  return power_of_two_tori::t3d1(*square_exponent(problem.topology(), SquareShape::kTorus, 3));
}

}  // namespace
}  // namespace alltoall_t3d1_parts

constinit const PublishedCost alltoall_t3d1 = {
    .name = "alltoall_t3d1",
    .collective = CollectiveKind::kAlltoall,
    .summary = "T-3D1: few start-ups on a cubic torus; better over hubs: alltoall_wormhole_hubs",
    .source = "Suh, Yalamanchili 1996, by Table 4 of Tseng, Ni, Sheu 1999",
    .formula = "4d-2 start-ups, 5 2^(4d-2) + (d^2-3d-2) 2^(3d-1) blocks on 2^d x 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kTorus, 3, 3); },
    .cost = alltoall_t3d1_parts::cost,
};

}  // namespace quadrille::published
