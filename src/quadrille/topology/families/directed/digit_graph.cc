#include "quadrille/topology/families/directed/digit_graph.h"

#include <algorithm>
#include <vector>

#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace {

// Heads of a node without itself, each once.
void heads_of(const DigitGraph& graph, uint64_t node, std::vector<uint64_t>& heads) {
  const auto nodes = static_cast<uint64_t>(graph.nodes);
  heads.clear();
  for (uint64_t j = 0; j < graph.degree; ++j) {
    const auto shifted = static_cast<uint64_t>(
        (Int128{node} * graph.degree + j + (graph.rule == DigitRule::kKautz ? 1 : 0)) % graph.nodes);
    const uint64_t head = graph.rule == DigitRule::kDeBruijn ? shifted : (nodes - shifted) % nodes;
    if (head != node) heads.push_back(head);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
}

}  // namespace

Int128 word_count(const SpecCall& call, uint64_t base, uint64_t exponent) {
  Int128 out = 1;
  for (uint64_t i = 0; i < exponent; ++i) {
    out *= base;
    if (out > Int128{kMaxSize}) throw call.error(call.where, "more nodes than a topology can have");
  }
  return out;
}

Topology digit_graph_topology(const SpecCall& call, const DigitGraph& graph) {
  require_buildable(call, graph.nodes, graph.nodes * graph.degree);
  TopologyBuilder builder(graph.spec, static_cast<uint64_t>(graph.nodes));
  builder.reserve_arcs(static_cast<uint64_t>(graph.nodes) * graph.degree);
  std::vector<uint64_t> heads;
  for (uint64_t node = 0; node < static_cast<uint64_t>(graph.nodes); ++node) {
    heads_of(graph, node, heads);
    for (const uint64_t head : heads)
      builder.arc(NodeId{static_cast<uint32_t>(node)}, NodeId{static_cast<uint32_t>(head)});
  }
  return builder.build();
}

TopologyFacts digit_graph_facts(const SpecCall& call, const DigitGraph& graph) {
  TopologyFacts out;
  out.spec = graph.spec;
  out.nodes = out.endpoints = graph.nodes;
  out.diameter = graph.diameter;
  if (graph.links) {
    out.links = *graph.links;
    return out;
  }
  const Topology net = digit_graph_topology(call, graph);
  for (const ArcId arc : net.arcs())
    if (net.reverse(arc) == kNoArc || arc < net.reverse(arc)) out.links += 1;
  return out;
}

}  // namespace quadrille
