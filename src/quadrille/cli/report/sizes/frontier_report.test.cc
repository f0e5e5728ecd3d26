#include "quadrille/cli/report/sizes/frontier_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "quadrille/cli/command.h"
#include "quadrille/cli/command_outcome.test.h"

namespace quadrille {
namespace frontier_report_test {

using ::testing::HasSubstr;

TEST(Frontier, RangesAreSaidInWords) {
  const auto line = [](double from, double to) {
    FrontierPoint point;
    point.from = from;
    point.to = to;
    return frontier_table({.points = {point}});
  };
  EXPECT_THAT(line(16, 16), HasSubstr("only at 16"));
  EXPECT_THAT(line(16, 8), HasSubstr("never"));
  EXPECT_THAT(line(8, 16), HasSubstr("8 to 16"));
  EXPECT_THAT(line(16, std::numeric_limits<double>::infinity()), HasSubstr("16 and more"));
}

TEST(FrontierSlow, AutoTakesTheCheapestPoint) {
  const CommandOutcome starts =
      run_line("plan alltoall torus(16,16) --ports one --switching wormhole --ts 1000 --tx 1 --bytes 1");
  EXPECT_THAT(starts.out, HasSubstr("alltoall_wormhole_classes:2:tree: predicts 8 start-ups and 1,024"));
  const CommandOutcome blocks =
      run_line("plan alltoall torus(16,16) --ports one --switching wormhole --ts 1 --tx 1 --bytes 2");
  EXPECT_THAT(blocks.out, HasSubstr("alltoall_wormhole_classes:2:direct: predicts 20 start-ups and 832"));
  EXPECT_THAT(blocks.out, HasSubstr("1684: latency 20 + transfer 1664, for blocks of 2 bytes; at least "));
  const CommandOutcome large =
      run_line("plan alltoall torus(16,16) --ports one --switching wormhole --ts 1 --tx 1 --bytes 8");
  EXPECT_THAT(large.out, HasSubstr("alltoall_direct: predicts 571 start-ups and 571"));
}

TEST(Frontier, AMemberIsAskedForByName) {
  const std::string job = "plan alltoall ring(14) --ports one --switching wormhole --algorithm ";
  const CommandOutcome good = run_line(job + "alltoall_wormhole_t1:published-lazy");
  EXPECT_EQ(good.exit_code, kExitOk) << good.err;
  EXPECT_THAT(good.out, HasSubstr("51 blocks (predicted 51)"));
  const CommandOutcome bad = run_line(job + "alltoall_wormhole_t1:publishd");
  EXPECT_EQ(bad.exit_code, kExitBadInput);
  EXPECT_THAT(bad.err, HasSubstr("has no member 'publishd'; did you mean 'published'? there are: published, "
                                 "published-lazy"));
  EXPECT_THAT(run_line(job + "alltoall_bruck:x").err,
              HasSubstr("alltoall_bruck is no family; leave out ':x'"));
}

TEST(Frontier, WhereStepsAloneCountTheyAreCompared) {
  const CommandOutcome broadcast = run_line("plan broadcast torus(16,16) --switching wormhole --compare");
  EXPECT_EQ(broadcast.exit_code, kExitOk);
  EXPECT_THAT(broadcast.out, HasSubstr("broadcast_tsai_mckinley (model only)"));
  EXPECT_THAT(broadcast.out, HasSubstr("lower bound  4 by doubling"));
  EXPECT_THAT(run_line("plan broadcast torus(25,25) --switching wormhole --compare").out,
              HasSubstr("broadcast_park (model only)"));
  EXPECT_THAT(run_line("plan broadcast torus(4,4) --switching wormhole --compare --json").out,
              HasSubstr("\"algorithm\": \"broadcast_tsai_mckinley\",\n      \"model_only\": true"));
  EXPECT_THAT(run_line("plan alltoall torus(4,4) --compare").out, HasSubstr("alltoall_torus"));
}

TEST(Frontier, WhereAnythingHasAPriceTimesAreCompared) {
  const CommandOutcome sized = run_line("plan broadcast torus(4,4) --compare --packets one --bytes 64KiB");
  EXPECT_EQ(sized.exit_code, kExitOk) << sized.err;
  EXPECT_THAT(sized.out, HasSubstr("which bring at most"));
  EXPECT_THAT(sized.out, HasSubstr("broadcast_rotated_trees (chosen)\n"));
  EXPECT_THAT(run_line("plan gather ring(5) --compare --ts 2 --to 1").out, HasSubstr("further messages"));
  EXPECT_THAT(run_line("plan reduce ring(5) --compare --bytes 1K --pieces 3 --json").out,
              HasSubstr("\"pieces\": 3"));
}

TEST(Frontier, NumbersOfPiecesAreTradedWhereStepsAloneAreNot) {
  EXPECT_THAT(run_line("plan broadcast ring(6) --frontier").out, HasSubstr("messages over a link"));
  EXPECT_THAT(run_line("plan broadcast ring(6) --frontier --machine t3d").out,
              HasSubstr("cheapest for messages of"));
  EXPECT_THAT(run_line("plan alltoall torus(4,4) --switching wormhole --frontier --steps").err,
              HasSubstr("--frontier makes no plan, and --steps does not go with it"));
  EXPECT_THAT(run_line("plan alltoall torus(4,4) --plot x.svg").err, HasSubstr("--plot draws the points of"));
}

TEST(Frontier, ComparisonSetsPublishedCostsBesideOurs) {
  const CommandOutcome all =
      run_line("plan alltoall torus(16,16) --ports one --switching wormhole --compare --ts 2500 --tx 1");
  EXPECT_EQ(all.exit_code, kExitOk) << all.err;
  EXPECT_THAT(all.out, HasSubstr("alltoall_t2d1 (model only)"));
  EXPECT_THAT(all.out, HasSubstr("alltoall_wormhole_t4"));
  EXPECT_THAT(run_line("plan alltoall ring(4) --switching wormhole --compare --json").out,
              HasSubstr("\"compared\": ["));
}

TEST(Rearrangement, IsMeasuredOnSmallNetworksBeforePlansAreCompared) {
  const std::string options = " --ports one --switching wormhole --ts 1 --tx 1 --rho 100 --bytes 1";
  const CommandOutcome all = run_line("plan alltoall mesh(4,4) --compare" + options);
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("rounds  rearranged  algorithm"));
  EXPECT_THAT(all.out, ::testing::Not(HasSubstr("not counted")));
  const CommandOutcome best = run_line("plan alltoall mesh(4,4)" + options);
  EXPECT_THAT(best.out, HasSubstr(" + rearrangement 0, for blocks of 1 byte")) << best.err;
}

TEST(Rearrangement, IsNotCountedWithoutSayingSo) {
  const std::string options = " --ports one --switching wormhole --ts 1 --tx 1 --rho 1";
  EXPECT_THAT(run_line("plan alltoall mesh(12,12) --compare" + options).out, HasSubstr("not counted"));
  EXPECT_THAT(run_line("plan alltoall mesh(4,4) --frontier --ports one --switching wormhole --rho 1").out,
              HasSubstr("rearrangement    not counted"));
  const std::string hybrid = "plan alltoall mesh(12,12) --algorithm alltoall_mesh_hybrid" + options;
  EXPECT_THAT(run_line(hybrid).out, HasSubstr("rearrangement not counted (--slices counts it)"));
  EXPECT_THAT(run_line(hybrid + " --slices").out, HasSubstr(" + rearrangement "));
}

// Of what is copied, added, sent several ways at once, or through switches, too.
TEST(Rearrangement, IsCountedForAllThatIsSmall) {
  const std::string costs = " --bytes 64KiB --machine links_100g --rho 0.5ns/B";
  for (const std::string line :
       {"plan allreduce torus(4,4) --switching shared --pieces 32 --algorithm allreduce_lattice:steps-3",
        "plan alltoall torus(4,4) --switching shared", "plan gather tree(2,2,2)", "plan allgather ring(7)",
        "plan alltoall mesh(4,4) --ports one --switching wormhole --algorithm alltoall_mesh_hybrid"}) {
    const CommandOutcome plan = run_line(line + costs);
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    EXPECT_THAT(plan.out, HasSubstr(" + rearrangement ")) << line;
    EXPECT_THAT(plan.out, ::testing::Not(HasSubstr("not counted"))) << line;
  }
}

}  // namespace frontier_report_test
}  // namespace quadrille
