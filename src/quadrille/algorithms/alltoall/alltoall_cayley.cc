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
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "quadrille/algorithms/catalog.h"

namespace quadrille::algorithms {
namespace {

constexpr uint32_t kWindow = 16;

// What every node knows: for each displacement r its length, its first generator W(r), and what is left.
struct CommonTable {
  std::vector<uint32_t> length;
  std::vector<uint32_t> generator;  // position in CayleyStructure::generators
  std::vector<uint32_t> rest;
};

// Breadth first from the identity by multiplication from the left.
CommonTable common_table(const CayleyStructure& cayley) {
  const uint32_t n = cayley.group->order();
  CommonTable table{std::vector<uint32_t>(n, 0), std::vector<uint32_t>(n, 0), std::vector<uint32_t>(n, 0)};
  std::vector<uint32_t> queue{0};
  queue.reserve(n);
  for (size_t i = 0; i < queue.size(); ++i) {
    for (uint32_t k = 0; k < cayley.generators.size(); ++k) {
      const uint32_t r = cayley.group->multiply(cayley.generators[k], queue[i]);
      if (r == 0 || table.length[r] != 0) continue;
      table.length[r] = table.length[queue[i]] + 1;
      table.generator[r] = k;
      table.rest[r] = queue[i];
      queue.push_back(r);
    }
  }
  return table;
}

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr) {
    return Applicability::no(
        fmt::format("it needs a Cayley graph; no group is known for {}", topology.name()));
  }
  if (topology.has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  }
  if (problem.model().duplex == Duplex::kHalf) {
    for (size_t k = 0; k < cayley->generators.size(); ++k) {
      if (cayley->inverses[k] != k) continue;
      return Applicability::no(
          fmt::format("half duplex: generator {} of {} is its own inverse, so its links would be used both "
                      "ways in one step",
                      cayley->group->element_text(cayley->generators[k]), topology.name()));
    }
  }
  return Applicability::yes();
}

Claim claimed(const Problem& problem) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const CommonTable table = common_table(cayley);
  std::vector<uint64_t> uses(cayley.generators.size(), 0);
  for (uint32_t r = 1; r < table.length.size(); ++r) {
    for (uint32_t left = r; left != 0; left = table.rest[left]) ++uses[table.generator[left]];
  }
  uint64_t status = 0;
  for (const uint32_t length : table.length) status += length;
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t busiest = uses.empty() ? 0 : *std::max_element(uses.begin(), uses.end());
  return {.steps = pieces * status, .start_ups = pieces * status, .busiest_link = pieces * busiest};
}

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

void generate(const Problem& problem, StepSink& sink) {
  const uint32_t n = problem.topology().num_nodes();
  const CommonTable table = common_table(*problem.topology().cayley());
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

constinit const Algorithm alltoall_cayley = {
    .name = "alltoall_cayley",
    .collective = CollectiveKind::kAlltoall,
    .summary = "all nodes forward the same relative message along the same generator",
    .source = "collective communication dissertation 1996, theorem 4.11",
    .remarks = "any Cayley graph, one port is enough; optimal with one port: the status of a node",
    .applies = applies,
    .claimed = claimed,
    .generate = generate,
};

}  // namespace quadrille::algorithms
