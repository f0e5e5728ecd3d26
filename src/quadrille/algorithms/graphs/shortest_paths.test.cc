#include "quadrille/algorithms/graphs/shortest_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace shortest_paths_test {

Problem worms_on(std::string_view spec) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall,
                          {.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole});
}

// How many paths the busiest arc is on, where each rank sends to the one whose number is `to(its own)`.
template <typename To>
uint32_t busiest(const Problem& problem, const ShortestPaths& ways, To to) {
  std::vector<uint32_t> load(problem.topology().num_arcs(), 0);
  std::vector<ArcId> path;
  for (uint32_t from = 0; from < problem.collective().num_ranks(); ++from) {
    ways.find(Rank{from}, Rank{to(from)}, 0, path);
    for (const ArcId arc : path) ++load[index(arc)];
  }
  return *std::max_element(load.begin(), load.end());
}

TEST(ShortestPaths, ShiftsKeepApartOnFoldedClosNetworksOfFullBisection) {
  for (const std::string_view spec : {"clos(4)", "clos(6)", "clos(8)", "xgft(3,4;1,3)", "xgft(2,3,4;1,2,3)",
                                      "clos(4,4,5)", "fat_tree(3,2;constant)"}) {
    const Problem problem = worms_on(spec);
    const ShortestPaths ways(problem, 1);
    const uint32_t ranks = problem.collective().num_ranks();
    const bool is_thin = spec.starts_with("fat_tree");
    uint32_t most = 0;
    for (uint32_t shift = 1; shift < ranks; ++shift)
      most = std::max(most, busiest(problem, ways, [&](uint32_t from) { return (from + shift) % ranks; }));
    EXPECT_EQ(most > 1, is_thin) << spec;
  }
}

TEST(ShortestPaths, SoDoExchangesOfAllWhoseNumbersDifferAlike) {
  for (const std::string_view spec : {"clos(4)", "clos(8)", "xgft(4,8;1,4)", "xgft(2,4,2;1,2,4)"}) {
    const Problem problem = worms_on(spec);
    const ShortestPaths ways(problem, 1);
    for (uint32_t mask = 1; mask < problem.collective().num_ranks(); ++mask)
      EXPECT_EQ(busiest(problem, ways, [&](uint32_t from) { return from ^ mask; }), 1U)
          << spec << " " << mask;
  }
}

TEST(ShortestPaths, EveryWayIsAShortestPath) {
  for (const std::string_view spec :
       {"clos(4)", "gpu_box(4,3)", "rail_optimized(3,2,2)", "dragonfly(2,4,2)", "mesh(3,4)",
        "jellyfish(8,5,3;1)", "kautz(2,2)", "fat_tree(2^3;exponential)"}) {
    const Problem problem = worms_on(spec);
    const Topology& net = problem.topology();
    const ShortestPaths ways(problem, 8);
    std::vector<ArcId> path;
    for (const NodeId a : net.endpoints()) {
      const std::vector<uint32_t> distances = distances_from(net, a);
      for (const NodeId b : net.endpoints()) {
        if (a == b) continue;
        for (uint32_t w = 0; w < ways.count(*net.rank(a), *net.rank(b)); ++w) {
          ways.find(*net.rank(a), *net.rank(b), w, path);
          ASSERT_EQ(path.size(), distances[index(b)]) << spec;
          NodeId at = a;
          for (const ArcId arc : path) {
            ASSERT_EQ(net.tail(arc), at) << spec;
            at = net.head(arc);
          }
          ASSERT_EQ(at, b) << spec;
        }
      }
    }
  }
}

TEST(ShortestPaths, AreOnlyOneWhereNoMoreAreCounted) {
  for (const std::string_view spec :
       {"ring(8)", "ring(9)", "mesh(3,4)", "torus(4,4)", "clos(4)", "kautz(2,2)", "star(6)"}) {
    const Problem problem = worms_on(spec);
    const Topology& net = problem.topology();
    const ShortestPaths ways(problem, 8);
    for (const NodeId a : net.endpoints()) {
      const std::vector<uint32_t> distances = distances_from(net, a);
      std::vector<NodeId> near_first;
      for (const NodeId v : net.nodes()) near_first.push_back(v);
      std::ranges::stable_sort(near_first, {}, [&](NodeId v) { return distances[index(v)]; });
      std::vector<uint64_t> paths(net.num_nodes(), 0);
      paths[index(a)] = 1;
      for (const NodeId v : near_first)
        for (const ArcId arc : net.arcs_from(v))
          if (const NodeId w = net.head(arc); distances[index(w)] == distances[index(v)] + 1)
            paths[index(w)] += paths[index(v)];
      for (const NodeId b : net.endpoints()) {
        if (a == b) continue;
        EXPECT_EQ(ways.is_only(*net.rank(a), *net.rank(b)), paths[index(b)] == 1) << spec;
      }
    }
  }
}

}  // namespace shortest_paths_test
}  // namespace quadrille
