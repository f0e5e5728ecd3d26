#include "quadrille/cli/report/pictures/frontier_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "quadrille/base/files.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/command_outcome.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace frontier_plot_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Points that lie so close that names beside them, and numbers below, would be printed over each other.
TEST(FrontierPlot, EachAlgorithmIsNamedOnceAndTicsLeaveEachOtherRoom) {
  Frontier front;
  for (const uint64_t start_ups : {3U, 100U, 101U, 102U, 103U, 104U})
    front.points.push_back({.algorithm = start_ups % 2 == 0 ? "even" : "odd",
                            .start_ups = start_ups,
                            .over_bound = 1 + 1 / static_cast<double>(start_ups)});
  const std::string script = frontier_plot(worms_on("ring(8)"), front, "png");
  EXPECT_THAT(script, StartsWith("set terminal pngcairo"));
  EXPECT_THAT(script, HasSubstr("set xtics (3, 100)"));
  for (const std::string name : {"\"even\" at", "\"odd\" at"}) {
    const size_t first = script.find("set label " + name);
    ASSERT_NE(first, std::string::npos) << script;
    EXPECT_EQ(script.find("set label " + name, first + 1), std::string::npos);
  }
  EXPECT_THAT(script, HasSubstr("101 1.009901 0x1f4e9c \"odd\""));
  EXPECT_THAT(script, HasSubstr("102 1.009804 0xc4521b \"even\""));
}

TEST(FrontierPlot, WhereNothingStartsThereIsAnEmptyPicture) {
  const std::string script = frontier_plot(worms_on("ring(8)"), {.points = {FrontierPoint{}}}, "svg");
  EXPECT_THAT(script, Not(HasSubstr("set label")));
  EXPECT_THAT(script, Not(HasSubstr("nan")));
}

TEST(FrontierPlot, PicturesAreSvgOrPng) {
  EXPECT_THAT(run_line("plan alltoall ring(8) --switching wormhole --frontier --plot front.pdf").err,
              HasSubstr("'front.pdf' must end in .svg or .png"));
  const std::string script = frontier_plot(worms_on("ring(8)"), frontier(worms_on("ring(8)")), "svg");
  EXPECT_THAT(script, StartsWith("set terminal svg"));
  EXPECT_THAT(script, HasSubstr("set title \"alltoall on ring(8), one-port, wormhole "));
  EXPECT_THAT(script, HasSubstr("set xtics (3, "));
  EXPECT_THAT(script, HasSubstr("3 1.500000 0x1f4e9c \"alltoall_wormhole_rings:tree\""));
}

TEST(FrontierPlot, GnuplotDrawsThePicture) {
  const auto path = std::filesystem::temp_directory_path() / "quadrille_frontier_test.svg";
  const CommandOutcome drawn = run_line(
      "plan alltoall \"ring(8)\" --switching wormhole --ports one --frontier --plot " + path.string());
  EXPECT_EQ(drawn.exit_code, kExitOk) << drawn.err;
  EXPECT_THAT(read_file(path.string()), HasSubstr("<svg"));
  std::filesystem::remove(path);
}

TEST(FrontierPlot, WithoutGnuplotThereIsNoPictureAndTheErrorSaysWhatIsMissing) {
  const char* before = std::getenv("PATH");
  const std::string kept = before == nullptr ? "" : before;
  ASSERT_EQ(setenv("PATH", "/nowhere", 1), 0);
  const CommandOutcome outcome =
      run_line("plan alltoall \"ring(8)\" --switching wormhole --ports one --frontier --plot /tmp/never.svg");
  ASSERT_EQ(setenv("PATH", kept.c_str(), 1), 0);
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("there is no gnuplot on this machine (Debian: gnuplot-nox)"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/never.svg"));
}

}  // namespace
}  // namespace frontier_plot_test
}  // namespace quadrille
