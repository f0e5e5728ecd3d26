// Neighbor exchange: every plan through the judge, start-ups and rounds as they are said to be.
#include "quadrille/algorithms/products/neighbor_exchange.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_neighbor_exchange;
extern const Algorithm alltoall_neighbor_exchange;
extern const Algorithm reduce_scatter_neighbor_exchange;
}  // namespace algorithms

namespace neighbor_exchange_test {

Problem bundles(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces = 1) {
  Model model = ports(count);
  model.packets = Packets::kMany;
  return standard_problem(parse_topology(spec), kind, model, NodeId{0}, pieces);
}

uint64_t rounds_of(const Algorithm& card, const Problem& problem) {
  return *card.prepare(problem).plans.at(0)->prediction().critical_blocks;
}

// Every pair once, and each link in one direction of a step once.
TEST(LineExchange, BringsEverythingEverywhereOnce) {
  for (uint32_t side = 1; side <= 13; ++side) {
    for (const bool closed : {false, true}) {
      for (const bool both_ways : {false, true}) {
        if (closed && side < 3) continue;
        const LineExchange line({side, closed, both_ways}, LineExchange::Blocks::kOfPairs);
        std::set<std::pair<uint32_t, uint32_t>> arrived;
        for (uint32_t step = 0; step < line.num_steps(); ++step) {
          std::set<uint32_t> senders;
          std::set<uint32_t> receivers;
          for (const LineExchange::Move& move : line.moves(step)) {
            const uint32_t to = (move.up ? move.from + 1 : move.from + side - 1) % side;
            EXPECT_TRUE(both_ways || (senders.insert(move.from).second && receivers.insert(to).second));
            for (const LineExchange::Item& item : line.items(move))
              if (item.destination == to) {
                EXPECT_TRUE(arrived.emplace(item.origin, to).second);
              }
          }
        }
        EXPECT_EQ(arrived.size(), size_t{side} * (side - 1)) << side << closed << both_ways;
        if (both_ways) {
          EXPECT_EQ(line.num_steps(), closed ? side / 2 : side - 1);
        } else if (closed) {
          EXPECT_EQ(line.num_steps(), side % 2 == 0 ? side / 2 : side - 1);
        } else {
          EXPECT_LE(line.num_steps(), side);
        }
      }
    }
  }
}

TEST(NeighborExchange, ServesEveryProductOfLinesAndEveryRing) {
  for (const std::string_view spec :
       {"ring(2)", "ring(3)", "ring(6)", "ring(7)", "line(2)", "line(5)", "line(6)", "torus(4,4)",
        "torus(3,5)", "torus(2,2,4)", "torus(4,6,3)", "mesh(3,4)", "mesh(2,3,2)", "mesh(4,4,4)",
        "hypercube(1)", "hypercube(2)", "hypercube(5)", "hypercube(6)", "product(line(3),ring(4))"}) {
    for (const uint32_t count : {1U, 2U, 0U}) {
      if (count == 2 && parse_topology(spec).out_degree(NodeId{0}) < 2) continue;
      for (const uint32_t pieces : {1U, 3U}) {
        for (const Algorithm* card :
             {&algorithms::allgather_neighbor_exchange, &algorithms::alltoall_neighbor_exchange}) {
          const Problem problem = bundles(spec, card->collective, count, pieces);
          if (!card->applies(problem).applies) continue;  // one node has two ports and another one
          EXPECT_GT(judged_steps(*card, problem), 0U) << spec << " with " << count;
        }
      }
    }
  }
}

TEST(NeighborExchange, IsAtBothBoundsOnToriOfEvenSidesWithOnePort) {
  struct Row {
    std::string_view spec;
    uint64_t start_ups;  // the diameter
    uint64_t distance;   // of a node from all others
  };
  for (const Row& row : {Row{"ring(8)", 4, 16}, Row{"torus(4,4)", 4, 32}, Row{"torus(8,8)", 8, 256},
                         Row{"torus(4,6)", 5, 60}, Row{"hypercube(4)", 4, 32}, Row{"hypercube(7)", 7, 448}}) {
    const Problem gather = bundles(row.spec, CollectiveKind::kAllgather, 1);
    EXPECT_EQ(judged_steps(algorithms::allgather_neighbor_exchange, gather), row.start_ups) << row.spec;
    EXPECT_EQ(rounds_of(algorithms::allgather_neighbor_exchange, gather),
              gather.collective().num_ranks() - 1);
    EXPECT_EQ(judged_steps(algorithms::reduce_scatter_neighbor_exchange,
                           bundles(row.spec, CollectiveKind::kReduceScatter, 1)),
              row.start_ups)
        << row.spec;
    const Problem exchange = bundles(row.spec, CollectiveKind::kAlltoall, 1);
    EXPECT_EQ(judged_steps(algorithms::alltoall_neighbor_exchange, exchange), row.start_ups) << row.spec;
    EXPECT_EQ(rounds_of(algorithms::alltoall_neighbor_exchange, exchange), row.distance) << row.spec;
  }
}

// Meshes, one port: (start-ups, rounds) of lines, of pairs of lines that are rings, and of one ring. No plan does with fewer than the
// diameter, and than N-1.
TEST(NeighborExchange, OnMeshesPairsOfLinesHaveFewStartUpsAndFewRounds) {
  struct Row {
    std::string_view spec;
    uint64_t sides;  // added up
    uint64_t waste;  // rounds
  };
  for (const Row& row : {Row{"mesh(16,16)", 32, 16}, Row{"mesh(3,4)", 7, 0}, Row{"mesh(5,6)", 14, 12},
                         Row{"mesh(8,5)", 17, 16}, Row{"mesh(4,6,5)", 15, 16}, Row{"mesh(4,4,4)", 12, 12}}) {
    const Problem problem = bundles(row.spec, CollectiveKind::kAllgather, 1);
    const Preparation made = algorithms::allgather_neighbor_exchange.prepare(problem);
    const uint64_t ranks = problem.collective().num_ranks();
    ASSERT_EQ(made.plans.size(), 3U) << row.spec;
    const Prediction pairs = made.find("pairs")->prediction();
    EXPECT_LE(pairs.start_ups, row.sides) << row.spec;
    EXPECT_EQ(pairs.steps, pairs.start_ups) << row.spec;
    EXPECT_LE(pairs.critical_blocks, ranks - 1 + row.waste) << row.spec;
    const Prediction ring = made.find("ring")->prediction();
    EXPECT_EQ(ring.start_ups, ranks / 2);
    EXPECT_EQ(ring.critical_blocks, ranks - 1);
  }
  for (const std::string_view spec : {"mesh(5,5)", "torus(4,4)", "line(6)", "mesh(3,3,3)"})
    EXPECT_EQ(algorithms::allgather_neighbor_exchange.prepare(bundles(spec, CollectiveKind::kAllgather, 1))
                  .plans.size(),
              1U)
        << spec;
}

TEST(NeighborExchange, UsesBothPortsOfAHypercubesPairsOfDimensions) {
  const Problem exchange = bundles("hypercube(6)", CollectiveKind::kAlltoall, 2);
  EXPECT_EQ(judged_steps(algorithms::alltoall_neighbor_exchange, exchange), 6U);
  EXPECT_EQ(rounds_of(algorithms::alltoall_neighbor_exchange, exchange), 6U * 32U * 3U / 4U);
}

TEST(NeighborExchange, GoesRoundARingThroughOtherNetworks) {
  for (const auto& [spec, steps] :
       {std::pair("star(4)", 12U), std::pair("complete(9)", 8U), std::pair("complete(10)", 5U),
        std::pair("cube_connected_cycles(3)", 12U)})
    EXPECT_EQ(
        judged_steps(algorithms::allgather_neighbor_exchange, bundles(spec, CollectiveKind::kAllgather, 1)),
        steps)
        << spec;
  EXPECT_FALSE(
      algorithms::allgather_neighbor_exchange.prepare(bundles("tree(2,2)", CollectiveKind::kAllgather, 1))
          .fits.applies);
}

TEST(NeighborExchange, SaysWhatItDoesNotServe) {
  Model half = ports(1);
  half.packets = Packets::kMany;
  half.duplex = Duplex::kHalf;
  for (const Algorithm* card :
       {&algorithms::allgather_neighbor_exchange, &algorithms::alltoall_neighbor_exchange}) {
    EXPECT_FALSE(card->applies(standard_problem(parse_topology("ring(4)"), card->collective, half)).applies);
    EXPECT_FALSE(
        card->applies(standard_problem(parse_topology("ring(4)"), card->collective, ports(1))).applies);
    EXPECT_FALSE(card->applies(bundles("kautz(2,3)", card->collective, 1)).applies);
    EXPECT_FALSE(card->applies(bundles("clos(4)", card->collective, 1)).applies);
    EXPECT_FALSE(card->applies(bundles("line(1)", card->collective, 0)).applies);
  }
  EXPECT_FALSE(
      algorithms::alltoall_neighbor_exchange.applies(bundles("star(4)", CollectiveKind::kAlltoall, 1))
          .applies);
}

}  // namespace neighbor_exchange_test
}  // namespace quadrille
