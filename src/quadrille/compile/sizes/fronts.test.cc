// The fronts of allreduce where paths may share links: start-ups against what goes over a link. With as many ports as a node
// has links, it sends no more messages than that in a step; without, any number.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "quadrille/compile/by_size.h"
#include "quadrille/compile/comparison/frontier.h"
#include "quadrille/model/machine.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace fronts_test {

struct Point {
  uint64_t start_ups;
  double vectors;  ///< over a link
};

Problem allreduce_on(std::string_view spec, uint32_t ports) {
  Model model;
  model.switching = Switching::kShared;
  if (ports > 0) model.send = model.receive = Ports{ports};
  model.cost = default_machine().cost;  // bytes cost time, too
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model);
}

void expect_reaches(std::string_view spec, uint32_t ports, std::span<const Point> wanted) {
  const Frontier front = frontier(allreduce_on(spec, ports), 2);
  for (const Point& want : wanted) {
    double least = std::numeric_limits<double>::infinity();
    for (const FrontierPoint& point : front.points) {
      if (point.start_ups > want.start_ups) continue;
      least = std::min(least, static_cast<double>(point.blocks) / point.pieces);
    }
    EXPECT_LE(least, want.vectors + 1e-4)
        << spec << ", " << ports << " ports, " << want.start_ups << " start-ups";
  }
}

TEST(Fronts, OfSmallNetworksAreReached) { expect_reaches("torus(3,3)", 4, std::array<Point, 1>{{{2, 1.0}}}); }

TEST(Fronts, OfOnePortAreReachedWhereAllAreNeighbours) {
  expect_reaches("complete(64)", 1,
                 std::array<Point, 6>{{{6, 6.0}, {7, 3.5}, {8, 2.5}, {9, 2.125}, {10, 2.0}, {11, 1.96875}}});
}

// Every point as it was known, and what has been found since.
TEST(FrontsSlow, OfLargerNetworksAreReached) {
  expect_reaches("torus(4,4)", 4,
                 std::array<Point, 5>{{{2, 4.0}, {3, 2.0}, {4, 0.6875}, {5, 0.5625}, {7, 0.46875}}});
  expect_reaches("torus(4,4)", 0, std::array<Point, 4>{{{1, 8.0}, {2, 1.0}, {3, 0.75}, {4, 0.5625}}});
  expect_reaches("hypercube(4)", 4, std::array<Point, 4>{{{2, 4.0}, {4, 1.0}, {5, 0.5625}, {7, 0.46875}}});
  expect_reaches("torus(5,5)", 4, std::array<Point, 2>{{{2, 4.0}, {8, 0.48}}});
  expect_reaches("ring(16)", 2,
                 std::array<Point, 5>{{{3, 9.0}, {4, 5.0}, {7, 1.4375}, {8, 1.375}, {16, 0.9375}}});
  expect_reaches("ring(16)", 0, std::array<Point, 3>{{{3, 2.5}, {5, 1.75}, {8, 1.375}}});
  expect_reaches("torus(8,8)", 4,
                 std::array<Point, 8>{{{3, 8.0},
                                       {4, 4.0},
                                       {6, 0.84375},
                                       {7, 0.6094},
                                       {9, 0.546875},
                                       {11, 0.5391},
                                       {13, 0.5156},
                                       {16, 0.4922}}});
  expect_reaches("torus(8,8)", 0,
                 std::array<Point, 9>{{{2, 2.0},
                                       {3, 1.1875},
                                       {4, 0.7891},
                                       {5, 0.7032},
                                       {6, 0.6016},
                                       {9, 0.546875},
                                       {10, 0.53125},
                                       {12, 0.5156},
                                       {14, 0.5}}});
  expect_reaches(
      "torus(4,4,4)", 6,
      std::array<Point, 7>{
          {{4, 2.5}, {5, 0.75}, {6, 0.3855}, {7, 0.3542}, {9, 0.34375}, {10, 0.3386}, {11, 0.3282}}});
  expect_reaches(
      "torus(4,4,4)", 0,
      std::array<Point, 6>{{{2, 1.0}, {3, 0.625}, {4, 0.4375}, {6, 0.3542}, {8, 0.34375}, {10, 0.3334}}});
  expect_reaches("hypercube(6)", 6,
                 std::array<Point, 4>{{{6, 1.0}, {7, 0.3542}, {9, 0.34375}, {11, 0.3282}}});
  expect_reaches("torus(5,7)", 4, std::array<Point, 2>{{{4, 3.0}, {10, 0.4858}}});
  expect_reaches("torus(5,7)", 0,
                 std::array<Point, 4>{{{4, 0.7143}, {6, 0.5715}, {8, 0.5429}, {10, 0.4858}}});
  expect_reaches("torus(7,7)", 4, std::array<Point, 2>{{{3, 6.0}, {4, 3.0}}});
  expect_reaches("torus(9,9)", 4, std::array<Point, 2>{{{4, 4.0}, {9, 0.593}}});
}

// The best of ring both ways, Rabenseifner, Swing, bucket, Bine and Trivance, as their papers have them.
double best_published(std::span<const Point> rivals, uint64_t bytes, const CostConstants& cost) {
  double out = std::numeric_limits<double>::infinity();
  for (const Point& rival : rivals) {
    const double start_ups = static_cast<double>(rival.start_ups);
    out = std::min(out, start_ups * cost.ts + rival.vectors * static_cast<double>(bytes) * cost.tx);
  }
  return out;
}

// For 32 bytes to 1 GiB: nowhere slower, and for the smallest so many times faster.
void expect_faster(std::string_view spec, uint32_t ports, std::span<const Point> rivals, double times) {
  const Problem problem = allreduce_on(spec, ports);
  std::vector<uint64_t> sizes;
  const uint64_t times_larger = Sample::whole() ? 2 : 1024;
  for (uint64_t bytes = 32; bytes <= uint64_t{1} << 30U; bytes *= times_larger) sizes.push_back(bytes);
  double most = 0;
  for (const SizeRow& row : sweep_sizes(problem, sizes, 2).rows) {
    const double published = best_published(rivals, row.bytes, problem.model().cost);
    EXPECT_LE(row.time, published * (1 + 1e-3))
        << spec << ", " << ports << " ports, " << row.bytes << " bytes";
    most = std::max(most, published / row.time);
  }
  EXPECT_GE(most, times) << spec << ", " << ports << " ports";
}

TEST(Fronts, AreNeverSlowerThanTheLiteratureAndUpToThreeTimesFaster) {
  constexpr std::array<Point, 5> kRivals{{{30, 0.46875}, {8, 2.25}, {4, 1.0}, {8, 0.46875}, {12, 0.46875}}};
  if (Sample::whole()) expect_faster("torus(4,4)", 0, kRivals, 3.0);
  expect_faster("torus(4,4)", 4, kRivals, 1.9);
}

TEST(FrontsSlow, OfLargeNetworksAreNeverSlowerThanTheLiterature) {
  constexpr std::array<Point, 4> kOfSixteen{{{510, 0.498046875}, {8, 5.0}, {16, 0.5684}, {60, 0.498046875}}};
  expect_faster("torus(16,16)", 0, kOfSixteen, 3.0);
  expect_faster("torus(16,16)", 4, kOfSixteen, 1.3);
}

struct TimeOfSize {
  uint64_t bytes;
  double microseconds;
};

void expect_times(std::string_view spec, uint32_t ports, std::span<const TimeOfSize> wanted) {
  std::vector<uint64_t> sizes;
  for (const TimeOfSize& want : wanted) sizes.push_back(want.bytes);
  const SizeSweep found = sweep_sizes(allreduce_on(spec, ports), sizes, 2);
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_LE(found.rows[i].time, wanted[i].microseconds * 1.02)
        << spec << ", " << ports << " ports, " << sizes[i] << " bytes";
}

// Start-ups and vectors (7, 1.219), (9, 0.7343), (10, 0.6797), (12, 0.6172).
TEST(FrontsSlow, OfLargeNetworksHoldWhatWasFound) {
  expect_times(
      "torus(16,16)", 4,
      std::array<TimeOfSize, 4>{{{16384, 8.5974}, {65536, 12.85}, {262144, 24.254}, {524288, 37.887}}});
}

// Where paths share links and messages cost nothing everybody sends to everybody at once, whatever the network.
TEST(Fronts, ShortMessagesTakeOneStepWherePathsShareLinks) {
  constexpr std::array<uint64_t, 1> kOneByte{1};
  const auto expect_one_step = [&](const char* spec, std::span<const CollectiveKind> kinds) {
    for (const CollectiveKind kind : kinds) {
      Model model;
      model.switching = Switching::kShared;
      model.cost = {.ts = 1.0, .tx = 1e-3};
      const SizeSweep found = sweep_sizes(standard_problem(parse_topology(spec), kind, model), kOneByte, 2);
      EXPECT_EQ(found.plans[found.rows.front().best].start_ups, 1U) << name_of(kind) << " on " << spec;
    }
  };
  expect_one_step("torus(3,4)", kCollectiveKinds);
  constexpr std::array kBothFlows{CollectiveKind::kAllgather, CollectiveKind::kAlltoall};
  expect_one_step("torus(5,7)", kBothFlows);
  expect_one_step("random_regular(24,4;1)", kBothFlows);
}

// The times of the best plans that were known before: a microsecond a start-up, links of 100 Gbit/s.
TEST(FrontsSlow, TimesAreThoseThatWereKnown) {
  constexpr uint64_t kKilo = 1024;
  constexpr uint64_t kMega = kKilo * kKilo;
  expect_times("torus(8,8)", 0,
               std::array<TimeOfSize, 9>{{{32, 2.01},
                                          {kKilo, 2.16},
                                          {4 * kKilo, 2.66},
                                          {16 * kKilo, 4.56},
                                          {64 * kKilo, 8.14},
                                          {256 * kKilo, 18.6},
                                          {kMega, 53.9},
                                          {4 * kMega, 181},
                                          {1024 * kMega, 42300}}});
  expect_times("torus(8,8)", 4,
               std::array<TimeOfSize, 9>{{{32, 3.02},
                                          {kKilo, 3.74},
                                          {4 * kKilo, 5.31},
                                          {16 * kKilo, 9.24},
                                          {64 * kKilo, 11.9},
                                          {256 * kKilo, 20.5},
                                          {kMega, 54.9},
                                          {4 * kMega, 181},
                                          {1024 * kMega, 42300}}});
}

TEST(FrontsSlow, AreNeverSlowerThanTheLiteratureAndUpToThreeTimesFaster) {
  constexpr std::array<Point, 5> kOfEight{
      {{126, 0.4921875}, {12, 2.625}, {6, 2.5}, {12, 0.5391}, {28, 0.4921875}}};
  expect_faster("torus(8,8)", 0, kOfEight, 3.0);
  expect_faster("torus(8,8)", 4, kOfEight, 1.9);
  constexpr std::array<Point, 4> kOfCube{{{126, 0.328125}, {6, 1.0}, {12, 0.328125}, {18, 0.328125}}};
  expect_faster("torus(4,4,4)", 0, kOfCube, 3.0);
  expect_faster("torus(4,4,4)", 6, kOfCube, 1.9);
  constexpr std::array<Point, 1> kOfNine{{{8, 0.5926}}};
  expect_faster("torus(9,9)", 0, kOfNine, 1.0);
}

}  // namespace fronts_test
}  // namespace quadrille
