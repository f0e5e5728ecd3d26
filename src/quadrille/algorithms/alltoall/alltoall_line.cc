// Total exchange on a linear array with all ports: in each direction every node sends on the block with the
// farthest destination, and of those the one from the farthest source.
//
// The links never pause before they are done, so the middle link with its floor(n/2)*ceil(n/2) blocks
// decides. What a queue would do has a closed form: with nodes 1..n, the block from k to i leaves node j in
// step j(n-i) + k, and in step j-k+1 if i is the end n. Read backwards it tells what node j sends in step t,
// so no queue is kept.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_line;

namespace alltoall_line_parts {
namespace {

using Order = std::vector<NodeId>;

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  if (as_path(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format("it needs a linear array; {} is none", problem.topology().name()));
}

Prediction predicted(const Problem& problem) {
  const uint64_t n = problem.topology().num_nodes();
  const uint64_t steps = problem.collective().pieces() * (n * n / 4);
  return {.steps = steps, .start_ups = steps, .busiest_link = steps};
}

// One direction; the nodes in its order are 1..n, which are order[0]..order[n-1].
class Direction {
 public:
  Direction(const Problem& problem, Order order) : problem_(problem), order_(std::move(order)) {
    for (size_t j = 0; j + 1 < order_.size(); ++j)
      arcs_.push_back(*problem.topology().find_arc(order_[j], order_[j + 1]));
  }

  void add(uint64_t t, uint32_t piece, StepBuilder& step) const {
    const uint64_t n = order_.size();
    for (uint64_t j = 1; j < n; ++j) {
      if (t > j * (n - j)) continue;
      const uint64_t source = t <= j ? j - t + 1 : (t - 1) % j + 1;
      const uint64_t destination = t <= j ? n : n - (t - 1) / j;
      step.add(arcs_[j - 1], block(source, destination, piece));
    }
  }

 private:
  [[nodiscard]] BlockId block(uint64_t source, uint64_t destination, uint32_t piece) const {
    const auto rank = [&](uint64_t place) { return Rank{static_cast<uint32_t>(index(order_[place - 1]))}; };
    return problem_.collective().block(rank(source), rank(destination), piece);
  }

  const Problem& problem_;
  Order order_;
  std::vector<ArcId> arcs_;
};

void generate(const Problem& problem, StepSink& sink) {
  const Order order = *as_path(problem.topology());
  const Direction right(problem, order);
  const Direction left(problem, Order(order.rbegin(), order.rend()));
  const uint64_t steps = uint64_t{order.size()} * order.size() / 4;
  StepBuilder step;
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    for (uint64_t t = 1; t <= steps; ++t) {
      right.add(t, piece, step);
      left.add(t, piece, step);
      step.flush(sink);
    }
  }
}

}  // namespace
}  // namespace alltoall_line_parts

constinit const Algorithm alltoall_line = {
    .name = "alltoall_line",
    .collective = CollectiveKind::kAlltoall,
    .summary = "in both directions every node forwards the block with the farthest destination",
    .source = "collective communication dissertation 1996, section 4.2, linear array",
    .remarks = "linear arrays, all ports; optimal: floor(n^2/4) steps, the load of the middle link",
    .counts_alone = true,
    .applies = alltoall_line_parts::applies,
    .prepare = by_formula<alltoall_line_parts::predicted, alltoall_line_parts::generate>,
};

}  // namespace quadrille::algorithms
