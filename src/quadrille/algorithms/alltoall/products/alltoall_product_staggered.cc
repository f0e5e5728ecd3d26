// Total exchange in any product with all ports: in every dimension the lines run the total exchange of their
// factor again and again, each dimension at its own pace; max over i of (N/n_i) T_i steps.
//
// Which blocks ride in which round is a closed form (products/round_offsets.h) with one shift per dimension.
// A factor that is a ring with n = 2 mod 4 nodes takes its blocks two at a time: a double exchange takes
// n^2/4 steps, one less than two single ones. This needs an even number of rounds.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/products/product_rounds.h"
#include "quadrille/algorithms/products/round_offsets.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_product_staggered;

namespace alltoall_product_staggered_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  const ProductStructure* product = problem.topology().product();
  if (product == nullptr) {
    return Applicability::no(
        fmt::format("it needs a product of graphs; {} is none", problem.topology().name()));
  }
  if (problem.topology().is_outline())
    return Applicability::no(
        "it looks for shifts that suit every displacement, and these are as many as nodes");
  if (problem.topology().num_nodes() > 1) return Applicability::yes();
  return Applicability::no("it needs a factor of more than one node");
}

// The dimensions with more than one node, how often each has to ride, and when.
struct Rides {
  std::vector<size_t> dimensions;
  std::vector<uint32_t> strides;
  std::vector<uint32_t> copies;
  std::vector<std::shared_ptr<const FactorExchange>> plans;
  RoundOffsets offsets;
};

// Nothing if no shifts are found for as few steps as the longest dimension needs and `exactly` asks for that.
std::optional<Rides> find_rides(const Problem& problem, FactorExchanges& exchanges, bool double_rings,
                                bool exactly) {
  const ProductStructure& product = *problem.topology().product();
  std::vector<size_t> dimensions;
  std::vector<uint32_t> strides;
  std::vector<Topology> factors;
  std::vector<uint32_t> copies;
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const uint32_t n = product.factors[i].num_nodes();
    if (n == 1) continue;
    dimensions.push_back(i);
    strides.push_back(product.strides[i]);
    factors.push_back(product.factors[i]);
    const bool twice = double_rings && n % 4 == 2 && problem.topology().num_nodes() / n % 2 == 0 &&
                       as_cycle(product.factors[i]).has_value();
    copies.push_back(twice ? 2 : 1);
  }
  std::vector<std::shared_ptr<const FactorExchange>> plans;
  for (size_t i = 0; i < factors.size(); ++i) plans.push_back(exchanges.of(factors[i], copies[i]));
  std::vector<RoundOffsets::Side> sides;
  for (size_t i = 0; i < factors.size(); ++i)
    sides.push_back({factors[i].num_nodes(), copies[i], plans[i]->num_steps()});
  std::optional<RoundOffsets> offsets =
      exactly ? RoundOffsets::find(sides) : RoundOffsets::find_longer(sides);
  if (!offsets) return std::nullopt;
  return Rides{std::move(dimensions), std::move(strides), std::move(copies), std::move(plans),
               *std::move(offsets)};
}

// Double exchanges halve the number of rounds, which may leave too little room in small products.
Rides rides_of(const Problem& problem) {
  FactorExchanges exchanges(factor_candidates());
  for (const bool double_rings : {true, false}) {
    if (std::optional<Rides> rides = find_rides(problem, exchanges, double_rings, true))
      return *std::move(rides);
  }
  return *find_rides(problem, exchanges, false, false);
}

Prediction predicted(const Problem& problem, const Rides& rides) {
  const uint64_t pieces = problem.collective().pieces();
  std::optional<uint64_t> busiest = 0;
  for (size_t i = 0; i < rides.dimensions.size(); ++i) {
    const std::optional<uint64_t> here = rides.plans[i]->busiest_link();
    busiest = busiest && here
                  ? std::optional(std::max(*busiest, pieces * rides.offsets.num_rounds(i) * *here))
                  : std::nullopt;
  }
  return {.steps = pieces * rides.offsets.steps(), .busiest_link = busiest};
}

// The types that share a round of dimension i, with what each has moved by then.
void board(const Rides& rides, size_t i, uint64_t round, std::vector<Rider>& riders) {
  const uint32_t first = rides.offsets.first_type(i, round);
  const size_t nodes = rides.offsets.group_size(i) / rides.copies[i];
  for (uint32_t t = first; t < first + rides.offsets.group_size(i); ++t) {
    Rider rider;
    for (size_t j = 0; j < rides.dimensions.size(); ++j) {
      const uint32_t coordinate = rides.offsets.offset(j, t) * rides.strides[j];
      rider.displacement += coordinate;
      const bool before =
          rides.offsets.start(j, rides.offsets.round_of(j, t)) < rides.offsets.start(i, round);
      if (j != i && before) rider.moved += coordinate;
    }
    riders[(t - first) / nodes * nodes + rides.offsets.offset(i, t)] = rider;
  }
}

void generate(const Problem& problem, const Rides& rides, StepSink& sink) {
  std::vector<DimensionRounds> rounds;
  for (size_t i = 0; i < rides.dimensions.size(); ++i) {
    rounds.push_back({.dimension = rides.dimensions[i],
                      .plan = &rides.plans[i]->plan(),
                      .copies = rides.copies[i],
                      .num_rounds = rides.offsets.num_rounds(i),
                      .start = [&rides, i](uint64_t round) { return rides.offsets.start(i, round); },
                      .board = [&rides, i](uint64_t round,
                                           std::vector<Rider>& riders) { board(rides, i, round, riders); }});
  }
  product_rounds(problem, rounds, rides.offsets.steps(), sink);
}

}  // namespace
}  // namespace alltoall_product_staggered_parts

constinit const Algorithm alltoall_product_staggered = {
    .name = "alltoall_product_staggered",
    .collective = CollectiveKind::kAlltoall,
    .summary = "all dimensions at once, each repeating its factor's total exchange at its own pace",
    .source = "ours; beyond the collective communication dissertation 1996, section 5.3",
    .remarks =
        "any product, all ports; max of (N/n_i) T_i steps whenever shifts are found, always if three "
        "times the sum of the sides is at most N; optimal where the critical factor meets its cut bound",
    .counts_alone = true,
    .applies = alltoall_product_staggered_parts::applies,
    .prepare =
        by_plan<alltoall_product_staggered_parts::rides_of, alltoall_product_staggered_parts::predicted,
                alltoall_product_staggered_parts::generate>,
};

}  // namespace quadrille::algorithms
