#include "quadrille/exporters/library_time.h"

#include <gtest/gtest.h>

#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/program/lower.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr CostConstants kCost{.ts = 10, .tx = 0.5};

TEST(LibraryTime, IsTheBetterOfTheTextbook) {
  // Recursive doubling, and Rabenseifner's: 8 ts + 2 m (15/16) tx.
  EXPECT_DOUBLE_EQ(library_time(CollectiveKind::kAllreduce, 16, kCost, 8), 4 * (10 + 4));
  EXPECT_DOUBLE_EQ(library_time(CollectiveKind::kAllreduce, 16, kCost, 1600), 80 + 1500);
  // Bruck's exchange, and one message to each.
  EXPECT_DOUBLE_EQ(library_time(CollectiveKind::kAlltoall, 16, kCost, 2), 4 * (10 + 8));
  EXPECT_DOUBLE_EQ(library_time(CollectiveKind::kAlltoall, 16, kCost, 2000), 15 * (10 + 1000));
  EXPECT_DOUBLE_EQ(library_time(CollectiveKind::kAllgather, 9, kCost, 4), 4 * 10 + 8 * 2);
  EXPECT_DOUBLE_EQ(library_time(CollectiveKind::kBroadcast, 1, kCost, 4), 0);
}

TEST(LibraryTime, WhereFasterIsWhereTheTimesCross) {
  // 100 + 0.5 m against 4 (10 + 4 m) while the latter is Bruck's: 60 = 15.5 m.
  const auto where = [](double base, double per_byte, uint64_t first, uint64_t last) {
    return where_faster(CollectiveKind::kAlltoall, 16, kCost, base, per_byte, {first, last});
  };
  EXPECT_EQ(where(100, 0.5, 0, UINT64_MAX), (MessageSizes{4, UINT64_MAX}));
  EXPECT_EQ(where(100, 0.5, 100, UINT64_MAX), (MessageSizes{100, UINT64_MAX}));
  EXPECT_EQ(where(100, 0.5, 0, 3), std::nullopt);
  EXPECT_EQ(where(30, 0.5, 0, 3), (MessageSizes{0, 3}));
  EXPECT_EQ(where(1000, 7.5, 0, UINT64_MAX), std::nullopt);  // 15 messages of 0.5 a byte
  // Ahead of Bruck's, and no longer of one message to each: 30 + 8 m against 150 + 7.5 m.
  EXPECT_EQ(where(30, 8, 0, UINT64_MAX), (MessageSizes{0, 239}));
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
