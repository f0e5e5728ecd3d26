// Total exchange on any torus with all ports, exactly at the bound of its worst bisection.
//
// Every block goes the short way round in every dimension. The blocks of one displacement are a job, the two
// directions of each dimension are machines, and the order in which a job visits its machines is free: an
// open shop, solved by edge colouring (cayley/displacement_exchange.h). A dimension of n nodes has a load
// of N n/8 on both its directions (n even, N n/8 not whole: rounded up), N (n^2-1)/(8n) (n odd), or N/2 (n =
// 2).
//
// What is opposite in a dimension (n even) could go either way: one half of those displacements goes up, the
// other down. If N/n is odd, which can be in one dimension only, one is left: straight ahead to the opposite
// node, q = n/2 hops. If half of the nodes sent it up and half down, each direction would be needed by every
// second node only. So in these slots the other nodes work on the displacements +c and -c of the same
// dimension, c = floor(q/2), which leave the shop for it. Two special jobs stand for this:
//   slot k of the one that goes up: nodes v whose coordinate has the parity of k send on the block of the
//   opposite that started at v-k, an even node; the others, while k < 2c, that of +c which started at
//   v-floor(k/2). Down is the mirror image, with the blocks of the opposite from odd nodes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/displacement_exchange.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_torus;

namespace alltoall_torus_parts {
namespace {

// The dimension in which one displacement is left over.
std::optional<size_t> odd_one(const TorusShape& torus, uint32_t num_nodes) {
  for (size_t i = 0; i < torus.sides.size(); ++i) {
    if (torus.sides[i] > 2 && torus.sides[i] % 2 == 0 && num_nodes / torus.sides[i] % 2 != 0) return i;
  }
  return std::nullopt;
}

uint64_t load_of_side(uint64_t side, uint64_t num_nodes) {
  if (side == 2) return num_nodes / 2;
  const uint64_t rest = num_nodes / side;
  return side % 2 != 0 ? rest * ((side * side - 1) / 8) : (rest * (side / 2) * (side / 2) + 1) / 2;
}

// The two special jobs of a dimension with an even side and an odd number of lines.
class ParityRepair {
 public:
  ParityRepair(const TorusShape& torus, size_t dimension, uint32_t num_nodes)
      : stride_(torus.strides[dimension]),
        side_(torus.sides[dimension]),
        up_(torus.up[dimension]),
        down_(torus.down[dimension]),
        order_(num_nodes) {
    for (std::vector<bool>& p : parity_) p.resize(num_nodes);
    for (uint32_t v = 0; v < num_nodes; ++v) parity_[v / stride_ % side_ % 2][v] = true;
  }

  [[nodiscard]] bool replaces(uint32_t displacement) const {
    return displacement == opposite() * stride_ || displacement == aside() * stride_ ||
           displacement == (side_ - aside()) * stride_;
  }
  void add_legs(DisplacementRoutes& routes) const {
    routes.push_back({order_, up_, opposite()});
    routes.push_back({order_ + 1, down_, opposite()});
  }
  void add(const Operation& slot, uint32_t k, TranslatedStep& step) const {
    const bool up = slot.job == order_;
    const uint32_t generator = up ? up_ : down_;
    const std::vector<bool>& straight = parity_[up ? k % 2 : (k + 1) % 2];
    const std::vector<bool>& others = parity_[up ? (k + 1) % 2 : k % 2];
    step.add(generator, hops(k, up), hops(opposite() - k, up), straight);
    if (k < 2 * aside()) step.add(generator, hops(k / 2, up), hops(aside() - k / 2, up), others);
  }

 private:
  [[nodiscard]] uint32_t opposite() const { return side_ / 2; }
  [[nodiscard]] uint32_t aside() const { return side_ / 4; }
  // That many hops up or down, as a displacement.
  [[nodiscard]] uint32_t hops(uint32_t count, bool up) const {
    return (up ? count : (side_ - count) % side_) * stride_;
  }

  uint32_t stride_;
  uint32_t side_;
  uint32_t up_;
  uint32_t down_;
  uint32_t order_;
  std::array<std::vector<bool>, 2> parity_;
};

// The legs of one displacement; those that are opposite in a dimension go up and down in turn.
void add_shortest(const TorusShape& torus, uint32_t displacement, std::vector<bool>& next_goes_down,
                  DisplacementRoutes& routes) {
  for (size_t i = 0; i < torus.sides.size(); ++i) {
    const uint32_t side = torus.sides[i];
    const uint32_t a = displacement / torus.strides[i] % side;
    if (a == 0) continue;
    bool down = a > side - a;
    if (a == side - a) {
      down = next_goes_down[i];
      next_goes_down[i] = !down;
    }
    routes.push_back({displacement, down ? torus.down[i] : torus.up[i], down ? side - a : a});
  }
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  if (as_torus(problem.topology())) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus, a ring or a hypercube; {} is none", problem.topology().name()));
}

Prediction predicted(const Problem& problem) {
  const TorusShape torus = *as_torus(problem.topology());
  uint64_t steps = 0;
  for (const uint32_t side : torus.sides)
    steps = std::max(steps, load_of_side(side, problem.topology().num_nodes()));
  steps *= problem.collective().pieces();
  return {.steps = steps, .start_ups = steps, .busiest_link = steps};
}

// Where no displacement is left over that odd and even nodes treat differently.
bool is_same_at_all_nodes(const Problem& problem) {
  return !odd_one(*as_torus(problem.topology()), problem.topology().num_nodes());
}

void generate(const Problem& problem, StepSink& sink) {
  const TorusShape torus = *as_torus(problem.topology());
  const uint32_t n = problem.topology().num_nodes();
  std::optional<ParityRepair> repair;
  if (const std::optional<size_t> i = odd_one(torus, n)) repair.emplace(torus, *i, n);

  DisplacementRoutes routes;
  std::vector<bool> next_goes_down(torus.sides.size(), false);
  for (uint32_t d = 1; d < n; ++d) {
    if (!repair || !repair->replaces(d)) add_shortest(torus, d, next_goes_down, routes);
  }
  if (repair) repair->add_legs(routes);
  displacement_exchange(problem, routes, sink, [&](const Operation& slot, uint32_t k, TranslatedStep& step) {
    repair->add(slot, k, step);
  });
}

}  // namespace
}  // namespace alltoall_torus_parts

constinit const Algorithm alltoall_torus = {
    .name = "alltoall_torus",
    .collective = CollectiveKind::kAlltoall,
    .summary = "an open shop whose jobs are displacements and whose machines are the directions of the torus",
    .source = "open shop by edge colouring (Koenig), with a repair for the one odd tie; ours",
    .remarks =
        "every torus, ring and hypercube, all ports; optimal: the bound of the worst bisection, N n/8 "
        "for the longest even side n; beyond dissertation 1996, theorem 5.8",
    .counts_alone = true,
    .same_at_all_nodes = alltoall_torus_parts::is_same_at_all_nodes,
    .applies = alltoall_torus_parts::applies,
    .prepare = by_formula<alltoall_torus_parts::predicted, alltoall_torus_parts::generate>,
};

}  // namespace quadrille::algorithms
