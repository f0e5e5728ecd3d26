// Total exchange on a linear array with one port: in every other step the links 1, 3, 5, ... exchange a block
// each way, in the steps between them the links 2, 4, 6, ...
//
// Every link sends on the block with the farthest destination, and of those the one from the nearest source. With
// nodes 1..n, what link j sends to the right when it is used for the (g j + i)th time is the block from j - i + 1 to
// n - g. Link j - 1 has sent it when used for the (g (j - 1) + i - 1)th time; its uses and those of link j
// alternate, so that it came in time, and no link pauses before its j (n - j) blocks are sent. A step of either kind
// is wanted as long as the busiest link of that kind is not done: n^2/2 - 1 in all, or (n^2 - 1)/2 if n is odd, which
// is what a middle node sends.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_line_pairs;

namespace alltoall_line_pairs_parts {
namespace {

using Order = std::vector<NodeId>;

Applicability applies(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  if (problem.model().send != kOnePort && problem.model().receive != kOnePort) {
    return Applicability::no(
        fmt::format("it uses one port of a node in a step, and {} may use more", describe(problem.model())));
  }
  if (as_path(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format("it needs a linear array; {} is none", problem.topology().name()));
}

// Of the links 1, 3, 5, ... and of the others: how often the busiest one is used.
std::array<uint64_t, 2> uses(const Problem& problem) {
  const uint64_t n = problem.topology().num_nodes();
  const uint64_t middle = n / 2;
  std::array<uint64_t, 2> out = {0, 0};
  for (const uint64_t j : {middle, middle == 0 ? 0 : middle - 1, middle + 1}) {
    if (j == 0 || j >= n) continue;
    uint64_t& most = out[(j + 1) % 2];
    most = std::max(most, problem.collective().pieces() * j * (n - j));
  }
  return out;
}

Prediction predicted(const Problem& problem) {
  const auto [odd, even] = uses(problem);
  return {.steps = odd + even, .start_ups = odd + even, .busiest_link = std::max(odd, even)};
}

// One direction; the nodes in its order are 1..n, which are order[0]..order[n-1].
class Direction {
 public:
  Direction(const Problem& problem, Order order)
      : collective_(problem.collective()), pieces_(collective_.pieces()), order_(std::move(order)) {
    for (size_t j = 0; j + 1 < order_.size(); ++j)
      arcs_.push_back(*problem.topology().find_arc(order_[j], order_[j + 1]));
  }

  // What link j sends when it is used once more after so many times.
  void add(uint64_t j, uint64_t times, StepBuilder& step) const {
    const uint64_t n = order_.size();
    if (times >= pieces_ * j * (n - j)) return;
    const uint64_t source = j - times / pieces_ % j;
    const uint64_t destination = n - times / pieces_ / j;
    const auto piece = static_cast<uint32_t>(times % pieces_);
    step.add(arcs_[j - 1], collective_.block(rank(source), rank(destination), piece));
  }

 private:
  [[nodiscard]] Rank rank(uint64_t place) const {
    return Rank{static_cast<uint32_t>(index(order_[place - 1]))};
  }

  const Collective& collective_;
  uint32_t pieces_;
  Order order_;
  std::vector<ArcId> arcs_;
};

void generate(const Problem& problem, StepSink& sink) {
  const Order order = *as_path(problem.topology());
  const uint64_t n = order.size();
  const Direction right(problem, order);
  const Direction left(problem, Order(order.rbegin(), order.rend()));
  const std::array<uint64_t, 2> most = uses(problem);
  const size_t first = most[1] > most[0] ? 1 : 0;
  StepBuilder step;
  for (uint64_t times = 0; times < most[first]; ++times) {
    for (const size_t kind : {first, 1 - first}) {
      if (times >= most[kind]) continue;
      for (uint64_t j = 1 + kind; j < n; j += 2) {
        right.add(j, times, step);
        left.add(n - j, times, step);
      }
      step.flush(sink);
    }
  }
}

}  // namespace
}  // namespace alltoall_line_pairs_parts

constinit const Algorithm alltoall_line_pairs = {
    .name = "alltoall_line_pairs",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "neighbours exchange the blocks with the farthest destinations, in pairs to either side in turn",
    .source = "ours; odd-even transposition with the queues of the linear array",
    .remarks =
        "linear arrays, one port; optimal: n^2/2 - 1 steps, (n^2 - 1)/2 if n is odd, what a middle node sends",
    .counts_alone = true,
    .applies = alltoall_line_pairs_parts::applies,
    .prepare = by_formula<alltoall_line_pairs_parts::predicted, alltoall_line_pairs_parts::generate>,
};

}  // namespace quadrille::algorithms
