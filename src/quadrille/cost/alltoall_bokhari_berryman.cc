// Bokhari and Berryman: complete exchange on circuit-switched square meshes. Model only.
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_bokhari_berryman;

namespace alltoall_bokhari_berryman_parts {
namespace {

CostParts cost(const Problem& problem) {
  const uint64_t d = *square_exponent(problem.topology(), SquareShape::kMesh, 2);
  const uint64_t hops = 3 * ((uint64_t{1} << d) - 1);
  return {.start_ups = hops,
          .critical_blocks = hops * (uint64_t{1} << (2 * d - 2)),
          .rearranged = (d - 1) * (uint64_t{1} << (2 * d))};
}

}  // namespace
}  // namespace alltoall_bokhari_berryman_parts

constinit const PublishedCost alltoall_bokhari_berryman = {
    .name = "alltoall_bokhari_berryman",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining in 3(2^d-1) start-ups on a square mesh",
    .source = "Bokhari, Berryman 1992, by Table 2 of Suh, Shin, Yalamanchili",
    .formula =
        "3(2^d-1) start-ups, 3(2^d-1) 2^(2d-2) blocks, d-1 rearrangements of 2^(2d) blocks on 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kMesh, 2, 2); },
    .cost = alltoall_bokhari_berryman_parts::cost,
};

}  // namespace quadrille::published
