// Total exchange on a ring with all ports: the short way round, from two queues at every node.
//
// A queue is first in, first out, and starts with the farthest destination first; what arrives joins the
// tail. In an odd ring of n nodes that takes (n^2-1)/8 steps. In an even ring the block to the opposite node
// may go either way. The parity rule sends it clockwise from even nodes and counterclockwise from odd ones,
// which takes ceil(n^2/8) steps. Where blocks come in two pieces, one goes either way and both pieces
// together take n^2/4 steps, one less than two exchanges where n = 2 mod 4.
//
// All nodes of one parity do the same, so the queues of one or two nodes are the whole program.
#include <fmt/format.h>

#include <array>
#include <deque>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_ring;

namespace alltoall_ring_parts {
namespace {

// A block under way: it has come `moved` links of `total`.
struct Traveller {
  uint32_t moved;
  uint32_t total;
  uint32_t piece;
};
enum Direction : uint8_t { kClockwise, kCounterclockwise };
// The queues of the nodes whose place modulo the number of classes is the same.
using Queues = std::vector<std::array<std::deque<Traveller>, 2>>;

class Ring {
 public:
  Ring(const Problem& problem, std::vector<NodeId> order) : problem_(problem), order_(std::move(order)) {
    const size_t n = order_.size();
    for (size_t v = 0; v < n; ++v) {
      arcs_[kClockwise].push_back(*problem.topology().find_arc(order_[v], order_[(v + 1) % n]));
      arcs_[kCounterclockwise].push_back(*problem.topology().find_arc(order_[v], order_[(v + n - 1) % n]));
    }
  }

  void run(Queues queues, StepSink& sink) {
    const auto classes = static_cast<uint32_t>(queues.size());
    while (true) {
      Queues arrivals(classes);
      for (uint32_t c = 0; c < classes; ++c) {
        for (const Direction way : {kClockwise, kCounterclockwise}) {
          std::deque<Traveller>& queue = queues[c][way];
          if (queue.empty()) continue;
          Traveller head = queue.front();
          queue.pop_front();
          send(head, c, classes, way);
          if (++head.moved < head.total)
            arrivals[(c + (way == kClockwise ? 1 : classes - 1)) % classes][way].push_back(head);
        }
      }
      if (step_.empty()) return;
      step_.flush(sink);
      for (uint32_t c = 0; c < classes; ++c) {
        for (const Direction way : {kClockwise, kCounterclockwise}) {
          for (const Traveller& t : arrivals[c][way]) queues[c][way].push_back(t);
        }
      }
    }
  }

 private:
  void send(const Traveller& t, uint32_t first, uint32_t classes, Direction way) {
    const auto n = static_cast<uint32_t>(order_.size());
    for (uint32_t v = first; v < n; v += classes) {
      const uint32_t behind = t.moved;
      const uint32_t ahead = t.total - t.moved;
      const uint32_t source = way == kClockwise ? (v + n - behind) % n : (v + behind) % n;
      const uint32_t destination = way == kClockwise ? (v + ahead) % n : (v + n - ahead) % n;
      step_.add(arcs_[way][v], problem_.collective().block(rank(source), rank(destination), t.piece));
    }
  }
  [[nodiscard]] Rank rank(uint32_t place) const { return Rank{static_cast<uint32_t>(index(order_[place]))}; }

  const Problem& problem_;
  std::vector<NodeId> order_;
  std::array<std::vector<ArcId>, 2> arcs_;
  StepBuilder step_;
};

// One piece: all nodes alike in an odd ring, by parity in an even one.
Queues single_exchange(uint32_t n, uint32_t piece) {
  Queues queues(n % 2 == 0 ? 2 : 1);
  if (n % 2 == 0) {
    queues[0][kClockwise].push_back({0, n / 2, piece});
    queues[1][kCounterclockwise].push_back({0, n / 2, piece});
  }
  for (auto& node : queues) {
    for (auto& queue : node) {
      for (uint32_t r = (n - 1) / 2; r > 0; --r) queue.push_back({0, r, piece});
    }
  }
  return queues;
}

// Two pieces in an even ring, all nodes alike.
Queues double_exchange(uint32_t n, uint32_t piece) {
  Queues queues(1);
  queues[0][kClockwise].push_back({0, n / 2, piece});
  queues[0][kCounterclockwise].push_back({0, n / 2, piece + 1});
  for (auto& queue : queues[0]) {
    for (uint32_t r = (n - 1) / 2; r > 0; --r) {
      queue.push_back({0, r, piece});
      queue.push_back({0, r, piece + 1});
    }
  }
  return queues;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = multiport_exchange(problem); !fits.applies) return fits;
  if (as_cycle(problem.topology())) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a ring of at least three nodes; {} is none", problem.topology().name()));
}

Prediction predicted(const Problem& problem) {
  const uint64_t n = problem.topology().num_nodes();
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps =
      n % 2 != 0 ? pieces * ((n * n - 1) / 8) : pieces / 2 * (n * n / 4) + pieces % 2 * ((n * n + 7) / 8);
  return {.steps = steps, .start_ups = steps, .busiest_link = steps};
}

void generate(const Problem& problem, StepSink& sink) {
  const uint32_t n = problem.topology().num_nodes();
  const uint32_t pieces = problem.collective().pieces();
  Ring ring(problem, *as_cycle(problem.topology()));
  uint32_t piece = 0;
  for (; n % 2 == 0 && piece + 2 <= pieces; piece += 2) ring.run(double_exchange(n, piece), sink);
  for (; piece < pieces; ++piece) ring.run(single_exchange(n, piece), sink);
}

}  // namespace
}  // namespace alltoall_ring_parts

constinit const Algorithm alltoall_ring = {
    .name = "alltoall_ring",
    .collective = CollectiveKind::kAlltoall,
    .summary = "every block takes the shorter way round the ring, farthest destination first",
    .source = "collective communication dissertation 1996, section 4.2, rings with the parity rule",
    .remarks = "rings, all ports; optimal: (n^2-1)/8 steps, rounded up",
    .counts_alone = true,
    .applies = alltoall_ring_parts::applies,
    .prepare = by_formula<alltoall_ring_parts::predicted, alltoall_ring_parts::generate>,
};

}  // namespace quadrille::algorithms
