#include "quadrille/compile/comparison/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "quadrille/compile/lending/by_time/timed_lending.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace frontier_test {

TEST(Frontier, PointsTradeStartUpsForBlocksAndSayWhereTheyAreCheapest) {
  const Frontier front = frontier(worms_on("torus(16,16)"));
  const std::vector<FrontierPoint>& points = front.points;
  ASSERT_GE(points.size(), 2U);
  EXPECT_EQ(points.front().start_ups, 8U);
  EXPECT_EQ(points.front().blocks, 1024U);
  EXPECT_DOUBLE_EQ(points.front().over_bound, 2.0);
  for (size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(points[i].start_ups, points[i - 1].start_ups);
    EXPECT_LT(points[i].blocks, points[i - 1].blocks);
  }
  // At any ratio some point is cheapest: the ranges that are not empty follow each other without a gap.
  double next = 0.0;
  for (auto p = points.rbegin(); p != points.rend(); ++p) {
    if (p->from > p->to) continue;
    EXPECT_DOUBLE_EQ(p->from, next);
    next = p->to;
  }
  EXPECT_TRUE(std::isinf(next));
}

TEST(Frontier, NoPointIsBelowTheBounds) {
  const Frontier front = frontier(worms_on("mesh(4,4)"));
  for (const FrontierPoint& point : front.points) {
    EXPECT_GE(Int128{point.start_ups}, front.start_ups.value.ceil());
    EXPECT_GE(Int128{point.blocks}, front.blocks.value.ceil());
  }
}

// Elsewhere numbers of pieces are traded: a stream needs more start-ups, and less of it goes over a link at a time.
TEST(Frontier, PiecesTradeStartUpsForWhatGoesOverLinks) {
  const Problem packets = standard_problem(parse_topology("hypercube(3)"), CollectiveKind::kBroadcast);
  const Frontier front = frontier(packets);
  ASSERT_GE(front.points.size(), 3U);
  EXPECT_EQ(front.points.front().start_ups, 3U);
  EXPECT_EQ(front.points.front().pieces, 3U);
  const auto volume = [](const FrontierPoint& p) {
    return static_cast<double>(p.blocks) / static_cast<double>(p.pieces);
  };
  for (size_t i = 1; i < front.points.size(); ++i) {
    EXPECT_GT(front.points[i].start_ups, front.points[i - 1].start_ups);
    EXPECT_LT(volume(front.points[i]), volume(front.points[i - 1]));
    EXPECT_GE(front.points[i].over_bound, 1.0);
  }
  EXPECT_TRUE(std::isinf(front.points.front().to));
  EXPECT_DOUBLE_EQ(front.points.back().from, 0.0);
}

TEST(Frontier, TwoThreadsFindWhatOneFinds) {
  const Problem packets = standard_problem(parse_topology("ring(5)"), CollectiveKind::kBroadcast);
  const Frontier one = frontier(packets, 1);
  const Frontier two = frontier(packets, 2);
  ASSERT_EQ(one.points.size(), two.points.size());
  for (size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_EQ(one.points[i].algorithm, two.points[i].algorithm);
    EXPECT_EQ(one.points[i].start_ups, two.points[i].start_ups);
    EXPECT_EQ(one.points[i].blocks, two.points[i].blocks);
    EXPECT_EQ(one.points[i].pieces, two.points[i].pieces);
  }
}

// What `auto` takes for some size is on the front, lent plans like those of cards.
TEST(Frontier, NoSizeIsServedBetterThanByThePointsOfTheFront) {
  Sample sample(5);
  for (const std::string_view spec : {"line(5)", "product(line(2),ring(3))"}) {
    for (const CollectiveKind kind :
         {CollectiveKind::kReduceScatter, CollectiveKind::kAllreduce, CollectiveKind::kAlltoall}) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        if (!sample.takes()) continue;
        Model model{.send = Ports{1}, .receive = Ports{1}, .switching = switching};
        model.packets = switching == Switching::kPacket ? Packets::kMany : Packets::kOne;
        model.cost = {.ts = 1000, .tx = 1};
        const Problem problem = standard_problem(parse_topology(spec), kind, model);
        const Frontier front = frontier(problem);
        for (const uint64_t bytes : {uint64_t{1}, uint64_t{300}, uint64_t{5000}, uint64_t{1} << 20U}) {
          const std::optional<Choice> choice = choose_by_time(problem, bytes, 0, 1);
          ASSERT_TRUE(choice);
          // In more pieces than there are bytes nothing is sent.
          if (choice->plan->problem().collective().pieces() > 1 && !front.any_pieces) continue;
          const double volume = static_cast<double>(*choice->prediction.critical_blocks) /
                                static_cast<double>(choice->plan->problem().collective().pieces());
          const auto time = [&](double start_ups, double messages) {
            return 1000 * start_ups + static_cast<double>(bytes) * messages;
          };
          double best = INFINITY;
          for (const FrontierPoint& p : front.points) {
            best = std::min(best, time(static_cast<double>(p.start_ups),
                                       static_cast<double>(p.blocks) / static_cast<double>(p.pieces)));
          }
          EXPECT_LE(best, time(static_cast<double>(*choice->prediction.start_ups), volume) * 1.001)
              << problem.title() << ", " << bytes << " bytes: " << choice->name();
        }
      }
    }
  }
}

}  // namespace frontier_test
}  // namespace quadrille
