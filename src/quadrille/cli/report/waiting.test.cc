#include "quadrille/cli/report/waiting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "quadrille/cli/report/terminal_progress.h"

namespace quadrille {
namespace waiting_test {

using std::chrono::milliseconds;

// What is printed while this much time goes by.
std::string printed(bool on_a_terminal, milliseconds after, milliseconds work) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err, on_a_terminal};
  {
    const Waiting waiting(console, "choosing", after);
    std::this_thread::sleep_for(work);
  }
  EXPECT_EQ(out.str(), "");
  return err.str();
}

TEST(Waiting, LongWorkIsAnnouncedAndTheLineIsWiped) {
  const std::string text = printed(true, milliseconds(1), milliseconds(200));
  EXPECT_THAT(text, ::testing::StartsWith("\rchoosing, 0 s\x1b[K"));
  EXPECT_THAT(text, ::testing::EndsWith("\r\x1b[K"));
}

TEST(Waiting, WorkThatSaysHowFarItIsShowsIt) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err, true};
  {
    TerminalProgress progress(console);
    progress.made(1, {}, 1);  // before anything has begun: nobody shows it
    progress.begin("making the plan");
    progress.end();
  }
  EXPECT_EQ(err.str(), "");
  {
    Waiting waiting(console, "making the plan", milliseconds(1));
    waiting.made(1'500, 6'000, 20'000);
    std::this_thread::sleep_for(milliseconds(100));
    waiting.made(2, {}, 3);
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_THAT(err.str(), ::testing::HasSubstr("\r1,500 steps of 6,000 (25 %), 20,000 transfers, 0 s\x1b[K"));
  EXPECT_THAT(err.str(), ::testing::HasSubstr("\r2 steps, 3 transfers, 0 s\x1b[K"));
}

TEST(Waiting, SearchesSayHowFarAboveTheBoundTheyAre) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err, true};
  {
    Waiting waiting(console, "choosing", milliseconds(1));
    waiting.paths_found(1'050, 1'000);
    std::this_thread::sleep_for(milliseconds(100));
    waiting.found(1'020, 1'000);
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_THAT(err.str(), ::testing::HasSubstr(
                             "\rchoosing: paths that need 1,050 steps so far, 5.0 % above the bound, 0 s"));
  EXPECT_THAT(err.str(), ::testing::HasSubstr("\rchoosing: 1,020 steps so far, 2.0 % above the bound, 0 s"));
}

TEST(Waiting, ShortWorkIsNot) { EXPECT_EQ(printed(true, std::chrono::hours(1), milliseconds(1)), ""); }

TEST(Waiting, NorIsAnythingToAFile) { EXPECT_EQ(printed(false, milliseconds(1), milliseconds(20)), ""); }

}  // namespace waiting_test
}  // namespace quadrille
