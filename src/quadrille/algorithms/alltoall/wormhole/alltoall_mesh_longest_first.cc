// The exchange of alltoall_mesh with the dimensions as the paper numbers them, the longest first: for
// comparison. Up to two dimensions the order makes no difference.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/mesh_exchange.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_mesh_longest_first;

namespace alltoall_mesh_longest_first_parts {
namespace {

constexpr MeshExchangeOptions kOptions = {.order = MeshExchangeOptions::Order::kLongestFirst};

Applicability applies(const Problem& problem) {
  if (Applicability fits = mesh_exchange_applies(problem); !fits.applies) return fits;
  const std::vector<MeshShape::Dimension> dimensions = mesh_within(problem.topology())->dimensions;
  const bool mixed = std::ranges::any_of(dimensions, [&](const MeshShape::Dimension& dimension) {
    return dimension.side != dimensions.front().side;
  });
  if (dimensions.size() > 2 && mixed) return Applicability::yes();
  return Applicability::no(
      fmt::format("it differs from alltoall_mesh only where three sides or more, not all equal, are longer "
                  "than 1; {} has none such",
                  problem.topology().name()));
}

Prediction predicted(const Problem& problem) { return mesh_exchange_prediction(problem, kOptions); }

void generate(const Problem& problem, StepSink& sink) { mesh_exchange(problem, kOptions, sink); }

}  // namespace
}  // namespace alltoall_mesh_longest_first_parts

constinit const Algorithm alltoall_mesh_longest_first = {
    .name = "alltoall_mesh_longest_first",
    .collective = CollectiveKind::kAlltoall,
    .summary = "alltoall_mesh with the longest dimension first, as published",
    .source = "Suh, Shin, Yalamanchili, section 4; odd sides and half duplex ours",
    .remarks =
        "worms, one port; n a_1/2 start-ups and (n/4) a_1^2 a_2 .. a_n blocks for even a_1 >= .. >= "
        "a_n, n >= 3: never better than alltoall_mesh",
    .counts_alone = true,
    .applies = alltoall_mesh_longest_first_parts::applies,
    .prepare =
        by_formula<alltoall_mesh_longest_first_parts::predicted, alltoall_mesh_longest_first_parts::generate>,
};

}  // namespace quadrille::algorithms
