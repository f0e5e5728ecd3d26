// Total exchange on a Cayley graph with one port: as many steps as a node's distances add up to, which is
// optimal.
//
// All nodes do the same, up to translation. A relative message r stands for N messages, x -> x*r for every
// node x, and takes len(r) steps: the next generator is W(r), a table common to all nodes with
// len(W(r)^-1 r) = len(r) - 1. In every step all nodes forward the same relative message along the same
// generator, which is a permutation of the nodes: everybody sends once and receives once.
//
// In what order the relative messages take their turns does not matter for the count. Here a window of a few
// is under way at a time, first in, first out: what a node has just received it need not send on at once,
// only a window of foreign blocks lies at a node, and a reader who goes through the plan meets neighbouring
// blocks in neighbouring steps. The blocks of a relative message are kept by the node that holds them and are
// permuted with each hop, so a step costs one pass over the nodes in any group, and no table is larger than
// the graph.
#include <deque>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/relative_messages.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_cayley;

namespace alltoall_cayley_parts {
namespace {

constexpr uint32_t kWindow = 16;

// The hop of all nodes along one generator.
struct Hop {
  std::vector<ArcId> arcs;     // of node x
  std::vector<uint32_t> from;  // the node from which node x receives
};

std::vector<Hop> hops(const Topology& topology) {
  const CayleyStructure& cayley = *topology.cayley();
  std::vector<Hop> out(cayley.generators.size());
  for (size_t k = 0; k < out.size(); ++k) {
    out[k].arcs.resize(topology.num_nodes());
    out[k].from.resize(topology.num_nodes());
    for (const NodeId x : topology.nodes()) {
      out[k].arcs[index(x)] = cayley.arc(x, k);
      out[k].from[index(topology.head(cayley.arc(x, k)))] = static_cast<uint32_t>(index(x));
    }
  }
  return out;
}

// The blocks x -> x*r for all x, each at the place of the node that has it.
void start_message(const Problem& problem, uint32_t r, uint32_t piece, std::vector<BlockId>& blocks,
                   std::vector<uint32_t>& translated) {
  const Collective& collective = problem.collective();
  const uint32_t n = collective.num_ranks();
  const uint32_t pieces = collective.pieces();
  translated.resize(n);
  blocks.resize(n);
  problem.topology().cayley()->group->right_translation(r, translated);
  for (uint32_t x = 0; x < n; ++x) blocks[x] = BlockId{(x * n + translated[x]) * pieces + piece};
}

// Who takes the short form is told what one node does.
void generate_at_one_node(const Problem& problem, const RelativeMessages& table, SymmetricSink& sink) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  std::deque<SymmetricMove> window;
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    uint32_t next = 1;
    while (next < cayley.group->order() || !window.empty()) {
      while (next < cayley.group->order() && window.size() < kWindow)
        window.push_back({.moved = 0, .left = next++, .piece = piece});
      SymmetricMove move = window.front();
      window.pop_front();
      move.generator = table.generator[move.left];
      sink.push_symmetric({&move, 1});
      move.moved = cayley.group->multiply(move.moved, cayley.generators[move.generator]);
      move.left = table.rest[move.left];
      if (move.left != 0) window.push_back(move);
    }
  }
}

void generate(const Problem& problem, const RelativeMessages& table, StepSink& sink) {
  if (SymmetricSink* brief = sink.symmetric()) return generate_at_one_node(problem, table, *brief);
  const uint32_t n = problem.topology().num_nodes();
  const std::vector<Hop> hop = hops(problem.topology());

  struct UnderWay {
    uint32_t left;  // what the relative message has still to travel
    std::vector<BlockId> blocks;
  };
  std::deque<UnderWay> window;
  std::vector<BlockId> spare(n);
  std::vector<uint32_t> translated;
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    uint32_t next = 1;
    while (next < n || !window.empty()) {
      while (next < n && window.size() < kWindow) {
        window.push_back({next, {}});
        start_message(problem, next, piece, window.back().blocks, translated);
        ++next;
      }
      UnderWay message = std::move(window.front());
      window.pop_front();
      const Hop& taken = hop[table.generator[message.left]];
      StepView step;
      step.all_arcs = taken.arcs;
      step.all_blocks = message.blocks;
      sink.push(step);
      message.left = table.rest[message.left];
      if (message.left == 0) continue;
      for (uint32_t x = 0; x < n; ++x) spare[x] = message.blocks[taken.from[x]];
      message.blocks.swap(spare);
      window.push_back(std::move(message));
    }
  }
}

}  // namespace
}  // namespace alltoall_cayley_parts

constinit const Algorithm alltoall_cayley = {
    .name = "alltoall_cayley",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all nodes of a Cayley graph forward the same relative message along the same generator in every step",
    .source = "collective communication dissertation 1996, theorem 4.11",
    .remarks = "any Cayley graph, one port is enough; optimal with one port: the total distance of a node",
    .counts_alone = true,
    .same_at_all_nodes = always,
    .applies = relative_messages_apply,
    .prepare = by_plan<relative_messages, relative_messages_prediction, alltoall_cayley_parts::generate>,
};

}  // namespace quadrille::algorithms
