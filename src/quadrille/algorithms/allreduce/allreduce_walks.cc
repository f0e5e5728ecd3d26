// Allreduce of one block where one walk of a length leads from each node to each: de Bruijn and Kautz graphs.
//
// In every step a node sends to all its neighbours the sum of what came in the step before. After t steps it has a contribution as often
// as there are walks of t arcs from whoever it is of. On a de Bruijn graph of words of n digits there is one of n arcs from each node to
// each (its loops are arcs that a node need not send over); on a Kautz graph one of n or of n - 1. Then all sums are there, but a node's own
// contribution is in it twice, since it has been round: in one more step each takes its sum from a neighbour.
#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/packing/colouring/edge_colouring.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_walks;

namespace allreduce_walks_parts {
namespace {

constexpr uint32_t kMostNodes = 4'096;  // what comes to each is followed

struct Walks {
  uint32_t degree = 0;
  uint32_t length = 0;
  bool or_one_less = false;    // walks of one arc less lead to the others
  std::vector<char> has_loop;  // per node: keeps what it had
};

// By the numbers of nodes and arcs alone.
std::optional<Walks> counted(const Topology& net) {
  Walks out;
  std::vector<uint32_t> in(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) ++in[index(net.head(arc))];
  for (const NodeId v : net.nodes()) out.degree = std::max(out.degree, net.out_degree(v));
  const uint64_t d = out.degree;
  if (d < 2 || net.has_routers() || net.num_nodes() > kMostNodes) return std::nullopt;
  uint64_t loops = 0;
  for (const NodeId v : net.nodes()) {
    if (net.out_degree(v) != in[index(v)] || in[index(v)] + 1 < d) return std::nullopt;
    out.has_loop.push_back(in[index(v)] < d ? 1 : 0);
    loops += in[index(v)] < d ? 1 : 0;
  }
  uint64_t words = 1;
  while (words * d <= net.num_nodes()) {
    words *= d;
    ++out.length;
  }
  if (out.length < 2) return std::nullopt;
  if (loops == d && words == net.num_nodes()) return out;
  out.or_one_less = true;
  // d^n + d^(n-1) words: the power below is that of n.
  if (loops == 0 && words + words / d == net.num_nodes()) return out;
  return std::nullopt;
}

// Whether every node hears of every one exactly once.
bool is_true(const Topology& net, const Walks& walks) {
  const size_t nodes = net.num_nodes();
  const size_t words = (nodes + 63) / 64;
  const std::vector<std::vector<ArcId>> into = arcs_into(net);
  std::vector<uint64_t> before(nodes * words, 0);
  for (size_t v = 0; v < nodes; ++v) before[v * words + v / 64] |= uint64_t{1} << v % 64;
  std::vector<uint64_t> now(nodes * words);
  for (uint32_t s = 1; s <= walks.length; ++s) {
    if (s < walks.length || !walks.or_one_less) {
      std::fill(now.begin(), now.end(), 0);
    } else {
      now = before;
    }
    const auto add = [&](size_t to, size_t from) {
      for (size_t w = 0; w < words; ++w) {
        if ((now[to * words + w] & before[from * words + w]) != 0) return false;
        now[to * words + w] |= before[from * words + w];
      }
      return true;
    };
    for (const NodeId v : net.nodes()) {
      if (walks.has_loop[index(v)] != 0 && !add(index(v), index(v))) return false;
      for (const ArcId arc : into[index(v)]) {
        if (!add(index(v), index(net.tail(arc)))) return false;
      }
    }
    std::swap(before, now);
  }
  // All are disjoint sums, so it is enough to count.
  uint64_t heard = 0;
  for (const uint64_t word : before) heard += static_cast<uint64_t>(std::popcount(word));
  return heard == uint64_t{nodes} * nodes;
}

uint32_t parts_of_step(const Problem& problem, const Walks& walks) {
  uint32_t at_once = walks.degree;
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (!ports.unlimited()) at_once = std::min(at_once, ports.count);
  }
  return (walks.degree + at_once - 1) / at_once;
}

uint64_t steps(const Problem& problem, const Walks& walks) {
  return uint64_t{walks.length} * parts_of_step(problem, walks) + 1;
}

Prediction predicted(const Problem& problem) {
  const uint64_t steps_of_it = steps(problem, *counted(problem.topology()));
  Prediction out{.steps = steps_of_it, .start_ups = steps_of_it};
  if (carries_many(problem.model())) {
    const auto capacities = problem.topology().capacities();
    if (std::ranges::all_of(capacities, [](uint32_t capacity) { return capacity == 1; }))
      out.critical_blocks = steps_of_it * problem.collective().num_blocks();
    if (takes_paths(problem.model())) out.critical_hops = steps_of_it;
  }
  return out;
}

class Slots {
 public:
  explicit Slots(const Walks& walks) : walks_(walks), d_(walks.degree) {}

  // Where a node keeps what comes in a step over its arc of a colour.
  [[nodiscard]] uint32_t of(size_t node, uint32_t step, uint32_t colour) const {
    if (walks_.has_loop[node] != 0) return 1 + (step - 1) * d_ + colour;
    return 1 + step % 2 * d_ + colour;
  }
  // All that it has then of walks as long as that.
  [[nodiscard]] uint32_t after(size_t node, uint32_t step) const {
    if (walks_.has_loop[node] != 0) return low(1 + step * d_);
    return step == 0 ? 1U : low(1 + (step % 2 + 1) * d_) & ~low(1 + step % 2 * d_);
  }
  [[nodiscard]] bool suffice() const {
    return 2 * d_ < SumSlots::kCount && (walks_.or_one_less || walks_.length * d_ < SumSlots::kCount);
  }

 private:
  [[nodiscard]] static uint32_t low(uint32_t bits) {
    return bits >= SumSlots::kCount ? SumSlots::kAll : (1U << bits) - 1;
  }

  const Walks& walks_;
  uint32_t d_;
};

void generate(const Problem& problem, StepSink& sink) {
  const Topology& net = problem.topology();
  const Walks walks = *counted(net);
  const Slots slots(walks);
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  // With the loops every node has one arc of each colour, in and out.
  std::vector<BipartiteEdge> edges;
  for (const ArcId arc : net.arcs())
    edges.push_back(
        {static_cast<uint32_t>(index(net.tail(arc))), static_cast<uint32_t>(index(net.head(arc)))});
  for (uint32_t v = 0; v < net.num_nodes(); ++v) {
    if (walks.has_loop[v] != 0) edges.push_back({v, v});
  }
  const auto nodes = static_cast<uint32_t>(net.num_nodes());
  const std::vector<uint32_t> colour = edge_colouring(nodes, nodes, edges);
  const uint32_t parts = parts_of_step(problem, walks);
  const uint32_t at_once = (walks.degree + parts - 1) / parts;
  StepBuilder step;
  for (uint32_t s = 1; s <= walks.length; ++s) {
    for (uint32_t part = 0; part < parts; ++part) {
      for (const ArcId arc : net.arcs()) {
        if (colour[index(arc)] / at_once != part) continue;
        const size_t to = index(net.head(arc));
        step.add({&arc, 1}, blocks, TransferOp::kCopy,
                 {slots.after(index(net.tail(arc)), s - 1), slots.of(to, s, colour[index(arc)])});
      }
      step.flush(sink);
    }
  }
  for (const ArcId arc : net.arcs()) {
    if (colour[index(arc)] != 0 || walks.has_loop[index(net.head(arc))] != 0) continue;
    const size_t from = index(net.tail(arc));
    uint32_t whole = slots.after(from, walks.length);
    if (walks.or_one_less) whole |= slots.after(from, walks.length - 1);
    step.add({&arc, 1}, blocks, TransferOp::kCopy, {whole, 0});
  }
  step.flush(sink);
}

Applicability applies(const Problem& problem) {
  const Topology& net = problem.topology();
  const std::optional<Walks> walks = counted(net);
  if (!walks)
    return Applicability::no(
        "needs one walk of a length from each node to each: de Bruijn and Kautz graphs of words of two digits or more");
  if (!Slots(*walks).suffice()) return Applicability::no("a node would keep more than 32 sums apart");
  if (problem.model().duplex == Duplex::kHalf) return Applicability::no("needs links of full duplex");
  if (sends_single_packets(problem.model()) && problem.collective().pieces() > 1)
    return Applicability::no("sends single packets in one piece only");
  if (!is_true(net, *walks))
    return Applicability::no("several walks of a length lead from one node to another");
  return Applicability::yes();
}

}  // namespace
}  // namespace allreduce_walks_parts

constinit const Algorithm allreduce_walks = {
    .name = "allreduce_walks",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "every node sends on the sum of what came in the step before: one walk leads from each node to each",
    .source = "ours; walks in de Bruijn and Kautz graphs: Bermond and Peyrat 1989",
    .remarks =
        "de Bruijn and Kautz graphs of up to 4,096 nodes, any ports; with all a step more than the diameter",
    .applies = allreduce_walks_parts::applies,
    .prepare = by_formula<allreduce_walks_parts::predicted, allreduce_walks_parts::generate>,
};

}  // namespace quadrille::algorithms
