// Worm swarm: a broadcast in pieces by worms, on any graph, found backwards.
#include "quadrille/algorithms/worm_broadcast/worm_swarm.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/path_merging.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_worm_swarm;
}  // namespace algorithms

namespace worm_swarm_test {

Problem in_pieces_of(std::string_view spec, Ports ports, uint32_t pieces, Duplex duplex = Duplex::kFull,
                     NodeId root = kNoNode) {
  const Model worms{.send = ports, .receive = ports, .switching = Switching::kWormhole, .duplex = duplex};
  return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, worms, root, pieces);
}

// Hosts on switches, wide links, one-way links, two nodes, a root that is not the first.
TEST(WormSwarm, ServesAnyGraph) {
  for (const std::string_view spec :
       {"line(2)", "line(7)", "ring(6)", "mesh(3,5)", "torus(6,6)", "hypercube(4)", "complete(9)",
        "fat_tree(2,3)", "clos(4)", "dragonfly(2,4,2)", "gpu_box(8,6;2)", "kautz(2,2)", "de_bruijn(2,4)",
        "star(4)"}) {
    for (const Ports ports : {kOnePort, Ports{2}, kAllPorts}) {
      if (spec == "line(2)" && ports == Ports{2}) continue;
      for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
        for (const uint32_t pieces : {2U, 3U, 7U}) {
          const Problem problem = in_pieces_of(spec, ports, pieces, duplex);
          if (duplex == Duplex::kHalf && problem.topology().is_directed()) continue;
          const uint64_t steps = judged_steps(algorithms::broadcast_worm_swarm, problem);
          EXPECT_GE(steps, static_cast<uint64_t>(best_bound(problem).value.ceil())) << problem.title();
          // Piece after piece among the endpoints, each as a whole message, is never better.
          EXPECT_LE(steps, pieces * merge_along_paths(problem.topology(),
                                                      problem.topology().endpoints().front(), ports, false)
                                        .size())
              << problem.title() << ", " << pieces << " pieces";
        }
      }
    }
  }
  EXPECT_LE(judged_steps(algorithms::broadcast_worm_swarm,
                         in_pieces_of("mesh(3,4)", kAllPorts, 5, Duplex::kFull, NodeId{7})),
            6U);
}

// Of 64 KiB in pieces that start up as fast as they go: what whole messages and single packets took 1.2 to 1.5 times as long for.
TEST(WormSwarm, FillsLinksFromTheFirstStepsOn) {
  struct Row {
    std::string_view spec;
    Ports ports;
    uint32_t pieces;
    uint64_t steps;
  };
  for (const Row& row : {Row{"torus(8,8)", kAllPorts, 6, 5}, Row{"torus(8,8)", Ports{2}, 6, 7},
                         Row{"torus(8,8)", kOnePort, 4, 9}, Row{"hypercube(6)", kAllPorts, 4, 4},
                         Row{"hypercube(6)", kAllPorts, 8, 5}, Row{"mesh(8,8)", kAllPorts, 6, 7},
                         Row{"dragonfly(2,4,2)", kOnePort, 5, 11}}) {
    EXPECT_LE(judged_steps(algorithms::broadcast_worm_swarm, in_pieces_of(row.spec, row.ports, row.pieces)),
              row.steps)
        << row.spec << " in " << row.pieces;
  }
}

// Of budgets that do for all tries, for one and a half, and where a bound is met at once.
TEST(WormSwarm, IsTheSameEveryTimeAndWithTwoTriesAtOnce) {
  for (const std::string_view spec : {"random_regular(40,5;1)", "mesh(12,12)", "torus(9,9)"}) {
    for (const uint32_t pieces : {3U, 6U}) {
      for (const Ports ports : {kOnePort, kAllPorts}) {
        for (const double effort : {1.0, 0.02, 1e-6}) {
          const SearchLimits limits({.effort = effort});
          const Problem problem = in_pieces_of(spec, ports, pieces);
          const auto once = swarm_by_worms(problem, 0, 1);
          for (const uint64_t least : {uint64_t{0}, uint64_t{once.size()}, uint64_t{once.size() + 2}}) {
            const auto by_one = swarm_by_worms(problem, least, 1);
            const auto by_two = swarm_by_worms(problem, least, 2);
            ASSERT_EQ(by_one.size(), by_two.size()) << spec << " " << pieces << " " << effort;
            for (size_t s = 0; s < by_one.size(); ++s) {
              ASSERT_EQ(by_one[s].size(), by_two[s].size());
              for (size_t i = 0; i < by_one[s].size(); ++i) {
                EXPECT_EQ(by_one[s][i].piece, by_two[s][i].piece);
                EXPECT_EQ(by_one[s][i].path, by_two[s][i].path);
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace worm_swarm_test
}  // namespace quadrille
