// Sundar and others: complete exchange on square meshes. Model only.
#include "quadrille/cost/published_cost.h"
#include "quadrille/cost/square_network.h"

namespace quadrille::published {

extern const PublishedCost alltoall_sundar;

namespace alltoall_sundar_parts {
namespace {

CostParts cost(const Problem& problem) {
  const uint64_t d = *square_exponent(problem.topology(), SquareShape::kMesh, 2);
  return {.start_ups = uint64_t{1} << d,
          .critical_blocks = uint64_t{1} << (3 * d - 1),
          .rearranged = (d - 1) * (uint64_t{1} << (2 * d))};
}

}  // namespace
}  // namespace alltoall_sundar_parts

constinit const PublishedCost alltoall_sundar = {
    .name = "alltoall_sundar",
    .collective = CollectiveKind::kAlltoall,
    .summary = "message combining in 2^d start-ups on a square mesh",
    .source = "Sundar, Jayasimha, Panda, Sadayappan 1994, by Table 2 of Suh, Shin, Yalamanchili",
    .formula = "2^d start-ups, 2^(3d-1) blocks, d-1 rearrangements of 2^(2d) blocks on 2^d x 2^d",
    .refuses = [](const Problem& problem) { return refuses_square(problem, SquareShape::kMesh, 2, 2); },
    .cost = alltoall_sundar_parts::cost,
};

}  // namespace quadrille::published
