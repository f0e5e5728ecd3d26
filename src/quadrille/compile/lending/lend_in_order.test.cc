#include "quadrille/compile/lending/lend_in_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::lend_in_order_test {
namespace {

constexpr std::array kNetworks = {"line(1)",   "line(2)",       "line(5)",    "ring(3)",     "ring(6)",
                                  "mesh(2,3)", "torus(3,3)",    "torus(2,4)", "complete(5)", "hypercube(3)",
                                  "tree(2,2)", "fat_tree(2^2)", "star(3)"};

TEST(LendInOrder, EveryNetworkHasAPlanForEverySumThatIsOrdered) {
  for (const char* spec : kNetworks) {
    for (const CollectiveKind kind :
         {CollectiveKind::kReduce, CollectiveKind::kReduceScatter, CollectiveKind::kAllreduce}) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared}) {
        for (const uint32_t ports : {0U, 1U}) {
          const Model model{
              .send = {ports}, .receive = {ports}, .switching = switching, .combining = Operator::kOrdered};
          const Problem problem = standard_problem(parse_topology(spec), kind, model);
          SCOPED_TRACE(problem.title() + ", " + describe(model));
          const Compiled made = compile(problem, {.stored = false});
          EXPECT_TRUE(made.verdict.passed()) << made.head.algorithm;
        }
      }
    }
  }
}

TEST(LendInOrder, ChunksComeInOrderWhereThatIsAskedFor) {
  for (const char* spec : {"line(4)", "ring(5)", "torus(3,3)", "complete(5)", "tree(2,2)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        const Model model{.switching = switching, .chunks = Chunks::kInOrder};
        const Problem problem = standard_problem(parse_topology(spec), kind, model, kNoNode, 3);
        SCOPED_TRACE(problem.title());
        const Compiled made = compile(problem, {.stored = false});
        EXPECT_TRUE(made.verdict.passed()) << made.head.algorithm;
      }
    }
  }
}

constexpr CostConstants kLinks{.ts = 1.0, .tx = 8e-5, .in_microseconds = true};

struct Asked {
  const char* spec;
  CollectiveKind kind;
  Model model;
};

double time_of(const Asked& asked, uint64_t bytes, uint32_t pieces) {
  const Problem problem =
      standard_problem(parse_topology(asked.spec), asked.kind, asked.model, kNoNode, std::max(pieces, 1U));
  const Compiled made = compile(problem, {.bytes = bytes, .any_pieces = pieces == 0, .stored = false});
  EXPECT_TRUE(made.verdict.passed()) << asked.spec << ": " << made.head.algorithm;
  EXPECT_TRUE(made.time.has_value()) << asked.spec;
  return made.time ? made.time->total : 0;
}

Model ordered(Switching switching, uint32_t ports) {
  return {.send = {ports},
          .receive = {ports},
          .switching = switching,
          .cost = kLinks,
          .combining = Operator::kOrdered};
}

Model streamed(Switching switching, uint32_t ports) {
  return {.send = {ports},
          .receive = {ports},
          .switching = switching,
          .cost = kLinks,
          .chunks = Chunks::kInOrder};
}

// Compositions are cut into pieces as well, and no pieces that somebody gives are faster by much.
TEST(LendInOrder, BySizePiecesAreChosen) {
  Sample sample(3);
  for (const Asked& asked :
       {Asked{"torus(4,4)", CollectiveKind::kAllreduce, ordered(Switching::kPacket, 0)},
        Asked{"ring(6)", CollectiveKind::kReduce, ordered(Switching::kPacket, 1)},
        Asked{"mesh(2,3)", CollectiveKind::kAllreduce, ordered(Switching::kWormhole, 0)},
        Asked{"torus(3,3)", CollectiveKind::kBroadcast, streamed(Switching::kPacket, 0)},
        Asked{"complete(5)", CollectiveKind::kReduce, streamed(Switching::kWormhole, 1)}}) {
    SCOPED_TRACE(asked.spec);
    for (const uint64_t bytes : {uint64_t{1} << 10U, uint64_t{1} << 20U}) {
      if (!sample.takes()) continue;
      const double chosen = time_of(asked, bytes, 0);
      for (const uint32_t pieces : {1U, 4U, 16U})
        EXPECT_LE(chosen, time_of(asked, bytes, pieces) * 1.01) << pieces;
    }
  }
}

// An allgather that is read backwards keeps the order of ranks where it happens to: all to all at once, and along a line.
TEST(LendInOrder, WhatIsReadBackwardsMayBeInOrder) {
  for (const auto& [spec, steps] : {std::pair{"complete(5)", 1U}, std::pair{"line(4)", 3U}}) {
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kReduceScatter,
                                             ordered(Switching::kPacket, 0));
    const Compiled made = compile(problem, {.bytes = 1024, .any_pieces = true});
    EXPECT_EQ(made.verdict.figures.steps, steps) << made.head.algorithm << " on " << spec;
  }
}

// So are given pieces: worms take what packets do over one link at a time, and cards that search are asked.
TEST(LendInOrder, GivenPiecesAreLentByTime) {
  for (const char* spec : {"mesh(3,3)", "rail_optimized(2,4,2)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
      const Model packets = streamed(Switching::kPacket, 0);
      EXPECT_LE(time_of({spec, kind, streamed(Switching::kWormhole, 0)}, 1U << 20U, 6),
                time_of({spec, kind, packets}, 1U << 20U, 6) * (1 + 1e-9))
          << spec;
    }
  }
  const Model worms = streamed(Switching::kWormhole, 1);
  const Problem problem =
      standard_problem(parse_topology("random_regular(10,3;2)"), CollectiveKind::kAllgather, worms);
  const Compiled gossip = compile(problem, {.algorithm = "allgather_gossip", .bytes = 4096, .stored = false});
  EXPECT_LE(time_of({"random_regular(10,3;2)", CollectiveKind::kAllgather, worms}, 4096, 1),
            gossip.time->total * (1 + 1e-9));
}

// An easier task takes no longer than a harder one, of which it is a part.
TEST(LendInOrder, ASumIsPartOfAnAllreduce) {
  for (const char* spec : {"complete(16)", "complete(12)", "hypercube(3)"}) {
    const Model model = ordered(Switching::kShared, 1);
    const double all = time_of({spec, CollectiveKind::kAllreduce, model}, 4U << 20U, 0);
    EXPECT_LE(time_of({spec, CollectiveKind::kReduce, model}, 4U << 20U, 0), all * 1.000001) << spec;
  }
}

// Pieces that come in order go down trees that share no link, on a torus in no more time than on the mesh in it.
TEST(LendInOrder, PiecesInOrderTakeAllTrees) {
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
    const Model model = streamed(Switching::kPacket, 0);
    EXPECT_LE(time_of({"torus(4,4)", kind, model}, 1U << 20U, 0),
              time_of({"mesh(4,4)", kind, model}, 1U << 20U, 0));
  }
}

}  // namespace
}  // namespace quadrille::lend_in_order_test
