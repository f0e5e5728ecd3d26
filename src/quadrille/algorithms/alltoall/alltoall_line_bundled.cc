// Total exchange on a linear array in as few start-ups as it is long: what leaves a node in a step is one message.
//
// In both directions every node sends on the blocks with the farthest destinations, of those the ones that came first, and in step t as
// many as are still missing from its share of n^2/4 blocks in t steps of n - 1. The middle link then never pauses before all are
// over it, so that start-ups and rounds are both the fewest: n - 1, the distance of the ends, and floor(n/2) ceil(n/2) (seen on every n up to
// 360 and from 1,021 to 1,024, and by the judge on whatever is planned; a proof we do not have).
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_line_bundled;

namespace alltoall_line_bundled_parts {
namespace {

constexpr uint32_t kMostNodes = 4096;  // n^2 waiting blocks are kept
constexpr uint32_t kNobody = UINT32_MAX;

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_over_all_links(problem); !fits.applies) return fits;
  const Topology& net = problem.topology();
  if (net.num_nodes() > kMostNodes) {
    return Applicability::no(fmt::format("it keeps all blocks that wait: up to {} nodes, {} has {}",
                                         with_thousands(kMostNodes), net.name(),
                                         with_thousands(net.num_nodes())));
  }
  if (net.num_nodes() > 1 && as_path(net)) return Applicability::yes();
  return Applicability::no(fmt::format("it needs a linear array; {} is none", net.name()));
}

uint64_t blocks_over_the_middle(uint64_t nodes) { return nodes * nodes / 4; }

Prediction predicted(const Problem& problem) {
  const uint64_t nodes = problem.topology().num_nodes();
  const uint64_t blocks = problem.collective().pieces() * blocks_over_the_middle(nodes);
  return {.steps = nodes - 1,
          .start_ups = nodes - 1,
          .busiest_link = blocks,
          .critical_blocks = blocks,
          .critical_hops = nodes - 1};
}

// Towards the last place. By node and destination those who wait, first come first served.
class Waiting {
 public:
  explicit Waiting(uint32_t nodes)
      : nodes_(nodes),
        first_(size_t{nodes} * nodes, kNobody),
        last_(first_),
        behind_(first_),
        farthest_(nodes, nodes - 1) {
    for (uint32_t v = 0; v < nodes; ++v)
      for (uint32_t to = v + 1; to < nodes; ++to) push(v, v, to);
  }

  void push(uint32_t at, uint32_t source, uint32_t destination) {
    const size_t queue = size_t{at} * nodes_ + destination;
    (first_[queue] == kNobody ? first_[queue] : behind_[size_t{last_[queue]} * nodes_ + destination]) =
        source;
    last_[queue] = source;
    behind_[size_t{source} * nodes_ + destination] = kNobody;
    farthest_[at] = std::max(farthest_[at], destination);
  }

  // Up to so many: take(source, destination).
  void pop(uint32_t at, uint64_t most, const auto& take) {
    uint32_t& destination = farthest_[at];
    while (most > 0 && destination > at) {
      uint32_t& first = first_[size_t{at} * nodes_ + destination];
      if (first == kNobody) {
        --destination;
        continue;
      }
      const uint32_t source = first;
      first = behind_[size_t{source} * nodes_ + destination];
      take(source, destination);
      --most;
    }
  }

 private:
  size_t nodes_;
  std::vector<uint32_t> first_;   // per node and destination
  std::vector<uint32_t> last_;    // where there is a first
  std::vector<uint32_t> behind_;  // per source and destination
  std::vector<uint32_t> farthest_;
};

// Both directions are alike, seen from their ends.
class Side {
 public:
  Side(const Problem& problem, std::vector<NodeId> order) : problem_(problem), order_(std::move(order)) {
    for (size_t place = 0; place + 1 < order_.size(); ++place)
      arcs_.push_back(*problem.topology().find_arc(order_[place], order_[place + 1]));
  }

  void take(uint32_t source, uint32_t destination) {
    for (uint32_t piece = 0; piece < problem_.collective().pieces(); ++piece)
      blocks_.push_back(problem_.collective().block(rank(source), rank(destination), piece));
  }
  void leave(uint32_t place, StepBuilder& step) {
    if (!blocks_.empty()) step.add({&arcs_[place], 1}, blocks_);
    blocks_.clear();
  }

 private:
  [[nodiscard]] Rank rank(uint32_t place) const { return Rank{static_cast<uint32_t>(index(order_[place]))}; }

  const Problem& problem_;
  std::vector<NodeId> order_;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
};

void generate(const Problem& problem, StepSink& sink) {
  const std::vector<NodeId> order = *as_path(problem.topology());
  const auto nodes = static_cast<uint32_t>(order.size());
  Side right(problem, order);
  Side left(problem, {order.rbegin(), order.rend()});
  Waiting waiting(nodes);
  StepBuilder step;
  const uint64_t all = blocks_over_the_middle(nodes);
  for (uint64_t t = 1; t < nodes; ++t) {
    const uint64_t share = all * t / (nodes - 1) - all * (t - 1) / (nodes - 1);
    // From the end: what arrives goes on in the next step.
    for (uint32_t from = nodes - 1; from-- > 0;) {
      waiting.pop(from, share, [&](uint32_t source, uint32_t destination) {
        right.take(source, destination);
        left.take(source, destination);
        if (destination > from + 1) waiting.push(from + 1, source, destination);
      });
      right.leave(from, step);
      left.leave(from, step);
    }
    step.flush(sink);
  }
}

}  // namespace
}  // namespace alltoall_line_bundled_parts

constinit const Algorithm alltoall_line_bundled = {
    .name = "alltoall_line_bundled",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "in both directions every node sends on, as one message a step, an even share of the blocks with the farthest destinations",
    .source = "ours; farthest destination first: collective communication dissertation 1996, section 4.2",
    .remarks =
        "linear arrays of up to 4,096 nodes, all ports, many packets or worms; both n-1 start-ups, the distance of the ends, and floor(n^2/4) "
        "rounds, the load of the middle link",
    .counts_alone = true,
    .applies = alltoall_line_bundled_parts::applies,
    .prepare = by_formula<alltoall_line_bundled_parts::predicted, alltoall_line_bundled_parts::generate>,
};

}  // namespace quadrille::algorithms
