#include "quadrille/topology/queries/symmetry.h"

#include <algorithm>
#include <bliss/graph.hh>
#include <map>
#include <utility>

#include "quadrille/base/disjoint_sets.h"

namespace quadrille {
namespace {

// The graph for BLISS, which colours nodes but not arcs: where arcs differ in capacity each becomes a node on
// the way, coloured by it.
bliss::Digraph coloured(const Topology& topology) {
  bliss::Digraph out;
  for (const NodeId v : topology.nodes()) out.add_vertex(topology.rank(v) ? 0 : 1);
  std::map<uint32_t, unsigned> colour_of;
  for (const uint32_t c : topology.capacities()) colour_of.emplace(c, 0);
  unsigned next = 2;
  for (auto& entry : colour_of) entry.second = next++;
  for (const ArcId arc : topology.arcs()) {
    const auto tail = static_cast<unsigned>(index(topology.tail(arc)));
    const auto head = static_cast<unsigned>(index(topology.head(arc)));
    if (colour_of.size() <= 1) {
      out.add_edge(tail, head);
    } else {
      const unsigned middle = out.add_vertex(colour_of[topology.capacity(arc)]);
      out.add_edge(tail, middle);
      out.add_edge(middle, head);
    }
  }
  return out;
}

// What an automorphism takes to each other belongs to one orbit.
void join_orbits(void* orbits, unsigned, const unsigned* moved_to) {
  DisjointSets& sets = *static_cast<DisjointSets*>(orbits);
  for (uint32_t v = 0; v < sets.members(); ++v) sets.join(v, moved_to[v]);
}

// The automorphisms that are found, as they come.
struct KeptImages {
  uint32_t nodes;
  std::vector<std::vector<NodeId>> images{};
};
void keep_image(void* found, unsigned, const unsigned* moved_to) {
  auto& [nodes, images] = *static_cast<KeptImages*>(found);
  std::vector<NodeId>& image = images.emplace_back();
  for (uint32_t v = 0; v < nodes; ++v) image.push_back(NodeId{moved_to[v]});
}

}  // namespace

std::vector<std::vector<NodeId>> some_symmetries(const Topology& topology, std::optional<NodeId> fixed,
                                                 size_t most) {
  constexpr unsigned kColourOfFixed = 1U << 30U;  // none of a node or a capacity
  bliss::Digraph graph = coloured(topology);
  if (fixed) graph.change_color(static_cast<unsigned>(index(*fixed)), kColourOfFixed);
  graph.set_splitting_heuristic(bliss::Digraph::shs_fl);
  graph.set_component_recursion(false);
  bliss::Stats stats;
  KeptImages found{topology.num_nodes()};
  graph.find_automorphisms(stats, keep_image, &found);
  std::vector<std::vector<NodeId>> out = std::move(found.images);
  const size_t generators = out.size();
  for (size_t i = 0; i < generators && out.size() < most; ++i) {
    for (size_t k = 0; k < generators && out.size() < most; ++k) {
      std::vector<NodeId> both;
      for (const NodeId v : topology.nodes()) both.push_back(out[k][index(out[i][index(v)])]);
      const bool moves = !std::ranges::is_sorted(both);
      if (moves && std::ranges::find(out, both) == out.end()) out.push_back(std::move(both));
    }
  }
  if (out.size() > most) out.resize(most);
  return out;
}

std::vector<uint32_t> node_orbits(const Topology& topology) {
  DisjointSets orbits(topology.num_nodes());
  bliss::Digraph graph = coloured(topology);
  graph.set_splitting_heuristic(bliss::Digraph::shs_fl);
  graph.set_component_recursion(false);  // bliss 0.73 loses memory at its every use
  bliss::Stats stats;
  graph.find_automorphisms(stats, join_orbits, &orbits);
  std::vector<uint32_t> out(topology.num_nodes());
  for (uint32_t v = 0; v < out.size(); ++v) out[v] = orbits.of(v);
  return out;
}

bool is_node_symmetric(const Topology& topology) {
  if (topology.cayley() != nullptr && !topology.has_routers()) return true;
  const std::vector<uint32_t> orbits = node_orbits(topology);
  return std::all_of(orbits.begin(), orbits.end(), [](uint32_t orbit) { return orbit == 0; });
}

}  // namespace quadrille
