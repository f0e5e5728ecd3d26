#include "quadrille/exporters/library_time.h"

#include <gtest/gtest.h>

#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/program/lower.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr CostConstants kCost{.ts = 10, .tx = 0.5};

LibraryTime library_on(const char* topology, Duplex duplex = Duplex::kFull) {
  Model model;
  model.duplex = duplex;
  model.cost = kCost;
  return {parse_topology(topology), model};
}

TEST(LibraryTime, IsTheBetterOfTheTextbook) {
  const LibraryTime library = library_on("complete(16)");
  // Recursive doubling, and Rabenseifner's: 8 ts + 2 m (15/16) tx.
  EXPECT_DOUBLE_EQ(library.of(CollectiveKind::kAllreduce, 8), 4 * (10 + 4));
  EXPECT_DOUBLE_EQ(library.of(CollectiveKind::kAllreduce, 1600), 80 + 1500);
  // Bruck's exchange, and one message to each.
  EXPECT_DOUBLE_EQ(library.of(CollectiveKind::kAlltoall, 2), 4 * (10 + 8));
  EXPECT_DOUBLE_EQ(library.of(CollectiveKind::kAlltoall, 2000), 15 * (10 + 1000));
  EXPECT_DOUBLE_EQ(library_on("complete(9)").of(CollectiveKind::kAllgather, 4), 4 * 10 + 8 * 2);
  EXPECT_DOUBLE_EQ(library_on("complete(1)").of(CollectiveKind::kBroadcast, 4), 0);
}

TEST(LibraryTime, MessagesGoOverTheNetwork) {
  // Of a ring of 16 every rank has two arcs, and the others are 64 hops away in all: 4 blocks over each arc beyond the 15
  // messages, which are no more than 32.
  EXPECT_DOUBLE_EQ(library_on("ring(16)").of(CollectiveKind::kAlltoall, 1 << 20),
                   15 * 10 + 32 * 0.5 * (1 << 20));
  EXPECT_DOUBLE_EQ(library_on("ring(16)", Duplex::kHalf).of(CollectiveKind::kAlltoall, 1 << 20),
                   15 * 10 + 64 * 0.5 * (1 << 20));
  // Bruck's messages go 1, 2, 4, 8 hops: 1, 1, 2, 4 times 8 blocks over each arc.
  EXPECT_DOUBLE_EQ(library_on("ring(16)").of(CollectiveKind::kAlltoall, 2), 4 * 10 + 8 * 8 * 0.5 * 2);
  // Recursive doubling of whole vectors; halves, quarters, .. of them, the longest to the neighbour; round the ring.
  EXPECT_DOUBLE_EQ(library_on("ring(16)").of(CollectiveKind::kAllreduce, 2), 4 * 10 + 8 * 0.5 * 2);
  EXPECT_DOUBLE_EQ(library_on("ring(16)").of(CollectiveKind::kAllreduce, 160),
                   8 * 10 + 2 * (0.5 + 0.25 + 2 * 0.125 + 4 * 0.0625) * 80);
  EXPECT_DOUBLE_EQ(library_on("ring(16)").of(CollectiveKind::kAllreduce, 1 << 20),
                   30 * 10 + 2 * 15. / 16 * 0.5 * (1 << 20));
}

TEST(LibraryTime, MessagesTakeTheirWaysTime) {
  Model model;
  model.cost = {.ts = 10, .tx = 0.5, .tl = 3};
  // Others of a ring of 4 are 1, 2 and 1 links away, 4/3 on an average: 2 start-ups of 10 + 4.
  EXPECT_DOUBLE_EQ(LibraryTime(parse_topology("ring(4)"), model).of(CollectiveKind::kBroadcast, 2),
                   2 * (14 + 1));
}

TEST(LibraryTime, IsNotFasterThanTheBoundOfLinks) {
  // The middle of a mesh(4,4) is crossed by 4 x 16 x 8 / 16 blocks over each of four arcs: more than the mean over all arcs.
  EXPECT_DOUBLE_EQ(library_on("mesh(4,4)").of(CollectiveKind::kAlltoall, 1 << 20),
                   15 * 10 + 15 * 0.5 * (1 << 20));
  EXPECT_DOUBLE_EQ(library_on("mesh(4,4)").of(CollectiveKind::kAlltoall, 1 << 20, 16),
                   15 * 10 + 16 * 0.5 * (1 << 20));
  // On a symmetric network that mean is the bound.
  Model model;
  model.packets = Packets::kMany;
  for (const char* topology : {"torus(4,4)", "torus(5,5)", "hypercube(6)", "ring(17)"}) {
    const Problem problem = make_problem(parse_topology(topology), CollectiveKind::kAlltoall, model, {});
    const double rounds = LeastTime(problem, all_bounds(problem))(1 << 20).rounds.to_double();
    const LibraryTime library = library_on(topology);
    EXPECT_DOUBLE_EQ(library.of(CollectiveKind::kAlltoall, 1 << 20, rounds),
                     library.of(CollectiveKind::kAlltoall, 1 << 20))
        << topology;
  }
}

TEST(LibraryTime, WhereFasterIsWhereTheTimesCross) {
  const LibraryTime library = library_on("complete(16)");
  // 100 + 0.5 m against 4 (10 + 4 m) while the latter is Bruck's: 60 = 15.5 m.
  const auto where = [&](double base, double per_byte, uint64_t first, uint64_t last) {
    return where_faster(library, CollectiveKind::kAlltoall, 0, base, per_byte, {first, last});
  };
  EXPECT_EQ(where(100, 0.5, 0, UINT64_MAX), (MessageSizes{4, UINT64_MAX}));
  EXPECT_EQ(where(100, 0.5, 100, UINT64_MAX), (MessageSizes{100, UINT64_MAX}));
  EXPECT_EQ(where(100, 0.5, 0, 3), std::nullopt);
  EXPECT_EQ(where(30, 0.5, 0, 3), (MessageSizes{0, 3}));
  EXPECT_EQ(where(1000, 7.5, 0, UINT64_MAX), std::nullopt);  // 15 messages of 0.5 a byte
  // Ahead of Bruck's, and no longer of one message to each: 30 + 8 m against 150 + 7.5 m.
  EXPECT_EQ(where(30, 8, 0, UINT64_MAX), (MessageSizes{0, 239}));
  // Behind at both ends: 60 + 8 m against 40 + 16 m, and against 150 + 7.5 m.
  EXPECT_EQ(where(60, 8, 0, UINT64_MAX), (MessageSizes{3, 179}));
}

TEST(LibraryTime, MessagesBeyondTheFirstOfAStepAreCounted) {
  const auto further = [](const char* topology, Ports ports) {
    Model model;
    model.send = model.receive = ports;
    const Compiled made =
        compile(make_problem(parse_topology(topology), CollectiveKind::kAllgather, model, {}), {});
    return further_messages_of(lower(*made.schedule));
  };
  // Each of two steps, or of four, goes both ways round a ring of five.
  EXPECT_EQ(further("ring(5)", kAllPorts), 2U);
  EXPECT_EQ(further("ring(5)", kOnePort), 0U);
}

}  // namespace
}  // namespace quadrille
