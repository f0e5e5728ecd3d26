#include "quadrille/topology/queries/symmetry.h"

#include <fmt/format.h>
#include <igraph.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

void check(igraph_error_t code) {
  QUADRILLE_CHECK(code == IGRAPH_SUCCESS, fmt::format("igraph: {}", igraph_strerror(code)));
}

// The graph for BLISS, which colours nodes but not arcs: where arcs differ in capacity each becomes a node on
// the way, coloured by it.
struct ColouredGraph {
  std::vector<igraph_integer_t> arcs;  // tail, head, tail, head, ..
  std::vector<igraph_integer_t> colours;
};

ColouredGraph coloured(const Topology& topology) {
  ColouredGraph out;
  for (const NodeId v : topology.nodes()) out.colours.push_back(topology.rank(v) ? 0 : 1);
  std::map<uint32_t, igraph_integer_t> colour_of;
  for (const uint32_t c : topology.capacities()) colour_of.emplace(c, 0);
  igraph_integer_t next = 2;
  for (auto& entry : colour_of) entry.second = next++;
  for (const ArcId arc : topology.arcs()) {
    const auto tail = static_cast<igraph_integer_t>(index(topology.tail(arc)));
    const auto head = static_cast<igraph_integer_t>(index(topology.head(arc)));
    if (colour_of.size() <= 1) {
      out.arcs.insert(out.arcs.end(), {tail, head});
    } else {
      const auto middle = static_cast<igraph_integer_t>(out.colours.size());
      out.colours.push_back(colour_of[topology.capacity(arc)]);
      out.arcs.insert(out.arcs.end(), {tail, middle, middle, head});
    }
  }
  return out;
}

uint32_t find(std::vector<uint32_t>& parent, uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

}  // namespace

std::vector<uint32_t> node_orbits(const Topology& topology) {
  std::vector<uint32_t> orbit(topology.num_nodes());
  std::iota(orbit.begin(), orbit.end(), 0U);
  igraph_set_error_handler(igraph_error_handler_ignore);  // the default ends the process
  ColouredGraph given = coloured(topology);

  igraph_vector_int_t arcs;
  igraph_vector_int_t colours;
  check(igraph_vector_int_init_array(&arcs, given.arcs.data(),
                                     static_cast<igraph_integer_t>(given.arcs.size())));
  check(igraph_vector_int_init_array(&colours, given.colours.data(),
                                     static_cast<igraph_integer_t>(given.colours.size())));
  igraph_t graph;
  check(igraph_create(&graph, &arcs, static_cast<igraph_integer_t>(given.colours.size()), IGRAPH_DIRECTED));
  igraph_vector_int_list_t generators;
  check(igraph_vector_int_list_init(&generators, 0));
  check(igraph_automorphism_group(&graph, &colours, &generators, IGRAPH_BLISS_FL, nullptr));
  for (igraph_integer_t k = 0; k < igraph_vector_int_list_size(&generators); ++k) {
    const igraph_vector_int_t* generator = igraph_vector_int_list_get_ptr(&generators, k);
    for (uint32_t v = 0; v < topology.num_nodes(); ++v) {
      const uint32_t a = find(orbit, v);
      const uint32_t b = find(orbit, static_cast<uint32_t>(VECTOR(*generator)[v]));
      orbit[std::max(a, b)] = std::min(a, b);
    }
  }
  igraph_vector_int_list_destroy(&generators);
  igraph_destroy(&graph);
  igraph_vector_int_destroy(&colours);
  igraph_vector_int_destroy(&arcs);
  for (uint32_t v = 0; v < orbit.size(); ++v) orbit[v] = find(orbit, v);
  return orbit;
}

bool is_node_symmetric(const Topology& topology) {
  if (topology.cayley() != nullptr && !topology.has_routers()) return true;
  const std::vector<uint32_t> orbits = node_orbits(topology);
  return std::all_of(orbits.begin(), orbits.end(), [](uint32_t orbit) { return orbit == 0; });
}

}  // namespace quadrille
