// T-2D2: the exchange on square two-dimensional tori with 2^d-ish start-ups. Model only.
#include "quadrille/cost/power_of_two_tori.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_t2d2;

namespace alltoall_t2d2_parts {
namespace {

CostParts cost(const Problem& problem) {
  return power_of_two_tori::t2d2(*square_exponent(problem.topology(), SquareShape::kTorus, 2));
}

}  // namespace
}  // namespace alltoall_t2d2_parts

constinit const PublishedCost alltoall_t2d2 = {
    .name = "alltoall_t2d2",
    .collective = CollectiveKind::kAlltoall,
    .summary = "T-2D2: fewer blocks than T-2D1, more start-ups; rebuilt as alltoall_wormhole_t2d2",
    .source = "Suh, Yalamanchili 1996, by Table 3 of Tseng, Ni, Sheu 1999",
    .formula = "3 2^(d-2) start-ups, 3 2^(3d-3) blocks on 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kTorus, 2, 4); },
    .cost = alltoall_t2d2_parts::cost,
};

}  // namespace quadrille::published
