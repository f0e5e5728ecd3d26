// T-3D2: the exchange on cubic tori with 2^d-ish start-ups. Model only.
#include "quadrille/cost/power_of_two_tori.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_t3d2;

namespace alltoall_t3d2_parts {
namespace {

CostParts cost(const Problem& problem) {
  return power_of_two_tori::t3d2(*square_exponent(problem.topology(), SquareShape::kTorus, 3));
}

}  // namespace
}  // namespace alltoall_t3d2_parts

constinit const PublishedCost alltoall_t3d2 = {
    .name = "alltoall_t3d2",
    .collective = CollectiveKind::kAlltoall,
    .summary = "T-3D2: fewer blocks than T-3D1, more start-ups; rebuilt as alltoall_wormhole_t3d2",
    .source = "Suh, Yalamanchili 1996, by Table 4 of Tseng, Ni, Sheu 1999",
    .formula = "3 2^(d-2) + d start-ups, 3 2^(4d-3) + d 2^(3d-1) blocks on 2^d x 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kTorus, 3, 4); },
    .cost = alltoall_t3d2_parts::cost,
};

}  // namespace quadrille::published
