// Total exchange in a product of d equal factors H with all ports: n^(d-1) rounds, in each of which all lines
// of all dimensions run the total exchange of H; n^(d-1) T_H steps for any d.
//
// Rounds are numbered by the vectors of Z_n^(d-1). The type with displacement d rides in dimension i in round
//     (d_1 - d_d, .., d_(d-1) - d_d) + b_i,
// where b_1, .., b_d are any different vectors. So a type's rides are in different rounds. And for every
// dimension and offset l, the types with d_i = l fall one into each round: adding the same number to all
// coordinates does not change the vector, and exactly one of these types has d_i = l.
#include <fmt/format.h>

#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/products/product_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_product_rounds;

namespace alltoall_product_rounds_parts {
namespace {

// The dimensions with more than one node.
std::vector<size_t> proper_dimensions(const ProductStructure& product) {
  std::vector<size_t> out;
  for (size_t i = 0; i < product.factors.size(); ++i) {
    if (product.factors[i].num_nodes() > 1) out.push_back(i);
  }
  return out;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  const ProductStructure* product = topology.product();
  if (product == nullptr)
    return Applicability::no(fmt::format("it needs a product of graphs; {} is none", topology.name()));
  const std::vector<size_t> dimensions = proper_dimensions(*product);
  for (const size_t i : dimensions) {
    const Topology& first = product->factors[dimensions.front()];
    if (product->factors[i].same_graph(first)) continue;
    return Applicability::no(fmt::format("it needs equal factors; {} has {} and {}", topology.name(),
                                         first.name(), product->factors[i].name()));
  }
  if (!dimensions.empty()) return Applicability::yes();
  return Applicability::no("it needs a factor of more than one node");
}

uint64_t num_rounds(const Problem& problem) {
  const ProductStructure& product = *problem.topology().product();
  return problem.topology().num_nodes() / product.factors[proper_dimensions(product).front()].num_nodes();
}

// All factors are equal.
const Topology& factor_of(const Problem& problem) {
  const ProductStructure& product = *problem.topology().product();
  return product.factors[proper_dimensions(product).front()];
}

using FactorPlan = std::shared_ptr<const FactorExchange>;

FactorPlan factor_plan(const Problem& problem) {
  return factor_exchange(factor_of(problem), factor_candidates());
}

Prediction predicted(const Problem& problem, const FactorPlan& made) {
  const uint64_t rounds = num_rounds(problem) * problem.collective().pieces();
  const uint64_t steps = rounds * made->num_steps();
  std::optional<uint64_t> busiest = made->busiest_link();
  if (busiest) *busiest *= rounds;
  return {.steps = steps, .start_ups = steps, .busiest_link = busiest};
}

// Who rides when. Vectors of Z_n^(d-1) are numbers with d-1 digits; b_i is the number i.
class Timetable {
 public:
  Timetable(uint32_t n, std::vector<uint32_t> strides) : n_(n), strides_(std::move(strides)) {}

  // riders[l] for dimension i in a round.
  void board(size_t i, uint64_t round, std::vector<Rider>& riders) const {
    const std::vector<uint32_t> differences = minus(digits(round), digits(i));  // d_j - d_d; 0 for j = d
    for (uint32_t l = 1; l < n_; ++l) {
      Rider rider;
      for (size_t j = 0; j < strides_.size(); ++j) {
        const uint32_t coordinate = (differences[j] + n_ - differences[i] + l) % n_;
        rider.displacement += coordinate * strides_[j];
        if (j != i && number(plus(differences, digits(j))) < round) rider.moved += coordinate * strides_[j];
      }
      riders[l] = rider;
    }
  }

 private:
  // d-1 digits, the first one fastest, and a 0.
  [[nodiscard]] std::vector<uint32_t> digits(uint64_t value) const {
    std::vector<uint32_t> out(strides_.size(), 0);
    for (size_t j = 0; j + 1 < out.size(); ++j) {
      out[j] = static_cast<uint32_t>(value % n_);
      value /= n_;
    }
    return out;
  }
  [[nodiscard]] uint64_t number(const std::vector<uint32_t>& digits) const {
    uint64_t out = 0;
    for (size_t j = digits.size() - 1; j-- > 0;) out = out * n_ + digits[j];
    return out;
  }
  [[nodiscard]] std::vector<uint32_t> plus(std::vector<uint32_t> a, const std::vector<uint32_t>& b) const {
    for (size_t j = 0; j < a.size(); ++j) a[j] = (a[j] + b[j]) % n_;
    return a;
  }
  [[nodiscard]] std::vector<uint32_t> minus(std::vector<uint32_t> a, const std::vector<uint32_t>& b) const {
    for (size_t j = 0; j < a.size(); ++j) a[j] = (a[j] + n_ - b[j]) % n_;
    return a;
  }

  uint32_t n_;
  std::vector<uint32_t> strides_;
};

void generate(const Problem& problem, const FactorPlan& made, StepSink& sink) {
  const Plan& plan = made->plan();
  const ProductStructure& product = *problem.topology().product();
  const std::vector<size_t> dimensions = proper_dimensions(product);
  std::vector<uint32_t> strides;
  for (const size_t i : dimensions) strides.push_back(product.strides[i]);
  const Timetable timetable(factor_of(problem).num_nodes(), std::move(strides));

  std::vector<DimensionRounds> rounds;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    rounds.push_back(
        {.dimension = dimensions[i],
         .plan = &plan,
         .num_rounds = num_rounds(problem),
         .start = [&](uint64_t round) { return round * plan.num_steps(); },
         .board = [&, i](uint64_t round, std::vector<Rider>& riders) { timetable.board(i, round, riders); }});
  }
  product_rounds(problem, rounds, num_rounds(problem) * plan.num_steps(), sink);
}

}  // namespace
}  // namespace alltoall_product_rounds_parts

constinit const Algorithm alltoall_product_rounds = {
    .name = "alltoall_product_rounds",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all dimensions at once, in rounds: every line of every dimension runs its factor's total exchange",
    .source =
        "ours; for 2^p dimensions as many steps as the collective communication dissertation 1996, "
        "algorithm A3",
    .remarks =
        "products of d equal factors, any d, all ports; n^(d-1) T steps; optimal where T is the cut "
        "bound of the factor, so for meshes, odd tori and tori with sides 0 mod 4; supersedes A3",
    .counts_alone = true,
    .applies = alltoall_product_rounds_parts::applies,
    .prepare = by_plan<alltoall_product_rounds_parts::factor_plan, alltoall_product_rounds_parts::predicted,
                       alltoall_product_rounds_parts::generate>,
};

}  // namespace quadrille::algorithms
