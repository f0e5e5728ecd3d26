// Total exchange of worms on tori: the sizes with known costs, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_wormhole_c64;
extern const Algorithm alltoall_wormhole_classes;
extern const Algorithm alltoall_wormhole_dp2d;
extern const Algorithm alltoall_wormhole_dp3d;
extern const Algorithm alltoall_wormhole_rings;
extern const Algorithm alltoall_wormhole_rotation;
extern const Algorithm alltoall_wormhole_t1;
extern const Algorithm alltoall_wormhole_t4;
}  // namespace algorithms
namespace alltoall_wormhole_test {

using namespace algorithms;

Problem worms_on(std::string_view spec, CostConstants cost = {}) {
  const Topology net = parse_topology(spec);
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.routing = net.product() != nullptr ? Routing::kDimensionOrder : Routing::kShortest;
  model.cost = cost;
  return standard_problem(net, CollectiveKind::kAlltoall, model);
}

// "10 start-ups, 1152 blocks", as judged.
std::string judged(const Problem& problem, const Algorithm& card, std::string_view member = "") {
  const Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) return ready.fits.reason;
  const PreparedPlan plan = member.empty() ? cheapest(ready.plans) : ready.find(member);
  if (plan == nullptr) return "no such member";
  Judge judge(problem);
  plan->generate(judge);
  const Verdict verdict = judge.finish();
  if (!verdict.passed()) return to_text(verdict.findings.front());
  return std::to_string(verdict.figures.start_ups) + " start-ups, " +
         std::to_string(verdict.figures.critical_blocks) + " blocks";
}

std::string judged(std::string_view spec, const Algorithm& card, std::string_view member = "") {
  return judged(worms_on(spec), card, member);
}

TEST(AlltoallWormhole, PublishedAlgorithmsCostWhatTheirTheoremsSay) {
  EXPECT_EQ(judged("torus(8,8)", alltoall_wormhole_t1), "8 start-ups, 224 blocks");
  EXPECT_EQ(judged("torus(6,7)", alltoall_wormhole_t1), "8 start-ups, 153 blocks");
  EXPECT_EQ(judged("torus(8,8)", alltoall_wormhole_t4), "8 start-ups, 160 blocks");
  EXPECT_EQ(judged("torus(16,16)", alltoall_wormhole_t4), "10 start-ups, 1152 blocks");
  EXPECT_EQ(judged("torus(8,8,8)", alltoall_wormhole_c64), "13 start-ups, 3328 blocks");
  EXPECT_EQ(judged("torus(8,8)", alltoall_wormhole_dp2d), "6 start-ups, 192 blocks");
  EXPECT_EQ(judged("torus(16,16)", alltoall_wormhole_dp2d), "10 start-ups, 1280 blocks");
  EXPECT_EQ(judged("torus(8,8,8)", alltoall_wormhole_dp3d), "9 start-ups, 2304 blocks");
  EXPECT_EQ(judged("ring(16)", alltoall_wormhole_rotation), "15 start-ups, 120 blocks");
}

TEST(AlltoallWormhole, ClassesWithBetterRingsReachTheStartUpBound) {
  EXPECT_EQ(judged("torus(8,8)", alltoall_wormhole_classes), "6 start-ups, 192 blocks");
  EXPECT_EQ(judged("torus(16,16)", alltoall_wormhole_classes), "8 start-ups, 1024 blocks");
  EXPECT_EQ(judged("torus(24,24)", alltoall_wormhole_classes, "2:found4"), "10 start-ups, 2880 blocks");
  EXPECT_EQ(judged("torus(20,28)", alltoall_wormhole_classes), "14 start-ups, 3120 blocks");
  EXPECT_EQ(judged("torus(8,8,8)", alltoall_wormhole_classes), "9 start-ups, 2304 blocks");
}

TEST(AlltoallWormhole, TheModelsConstantsChooseTheMember) {
  EXPECT_EQ(judged(worms_on("torus(8,8)", {.ts = 1, .tx = 1}), alltoall_wormhole_classes),
            "8 start-ups, 160 blocks");
  EXPECT_EQ(judged(worms_on("torus(3,4,5)", {.ts = 1, .tx = 1}), alltoall_wormhole_rings),
            "9 start-ups, 133 blocks");
  EXPECT_EQ(judged(worms_on("torus(3,4,5)", {.ts = 100, .tx = 1}), alltoall_wormhole_rings),
            "7 start-ups, 172 blocks");
}

TEST(AlltoallWormhole, NarrowAndUnevenToriWork) {
  EXPECT_EQ(judged("torus(2,2,2)", alltoall_wormhole_rings), "3 start-ups, 12 blocks");
  EXPECT_EQ(judged("torus(1,7)", alltoall_wormhole_rings), "4 start-ups, 9 blocks");
  EXPECT_EQ(judged("torus(3,2)", alltoall_wormhole_rings), "3 start-ups, 7 blocks");
  EXPECT_EQ(judged("torus(1)", alltoall_wormhole_rings), "0 start-ups, 0 blocks");
  EXPECT_EQ(judged("torus(3,4,2,3)", alltoall_wormhole_t1), "8 start-ups, 186 blocks");
}

TEST(AlltoallWormhole, RefusalsNameTheConditionAndTheCardThatCan) {
  EXPECT_EQ(
      judged("torus(7,8)", alltoall_wormhole_t4),
      "it needs two dimensions with even sides: across the end of an odd ring one hop leads to the wrong "
      "class; alltoall_wormhole_t1 serves torus(7,8)");
  EXPECT_EQ(judged("torus(6,6,6)", alltoall_wormhole_classes),
            "with 3 dimensions it needs sides that are divisible by 4, which those of torus(6,6,6) are not; "
            "alltoall_wormhole_rings serves any sides");
  EXPECT_EQ(judged("ring(12)", alltoall_wormhole_classes),
            "it needs at least two dimensions; alltoall_wormhole_rings serves rings");
  EXPECT_EQ(judged("ring(2048)", alltoall_wormhole_rings),
            "it makes rings of up to 1024 nodes; a side of ring(2048) has 2048");
  EXPECT_EQ(judged("mesh(4,4)", alltoall_wormhole_rings),
            "it needs a torus, a ring or a hypercube; mesh(4,4) is none");
}

TEST(AlltoallWormholeSlow, SixteenCubedAndThirtyTwoSquaredFollowEveryBlock) {
  EXPECT_EQ(judged("torus(32,32)", alltoall_wormhole_t4), "14 start-ups, 6784 blocks");
  EXPECT_EQ(judged("torus(32,32)", alltoall_wormhole_classes), "12 start-ups, 6144 blocks");
  EXPECT_EQ(judged("torus(16,16,16)", alltoall_wormhole_c64), "21 start-ups, 30720 blocks");
  EXPECT_EQ(judged("torus(16,16,16)", alltoall_wormhole_dp3d), "13 start-ups, 26624 blocks");
}

}  // namespace alltoall_wormhole_test
}  // namespace quadrille
