#include "quadrille/draw/link_timeline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace link_timeline_test {
namespace {

bool holds(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

std::string picture(const char* spec, const std::vector<TimelineBar>& bars, const LinkTimeline& frame) {
  const Topology network = parse_topology(spec);
  return link_timeline(network, layout_of(network), bars, frame);
}

TEST(LinkTimeline, SaysWhatIsDrawn) {
  const std::vector<TimelineBar> bars = {{.arc = ArcId{0}, .begin = 0, .end = 40},
                                         {.arc = ArcId{2}, .step = 1, .asked = 30, .begin = 40, .end = 100}};
  const std::string text =
      picture("line(3)", bars, {.title = "x < y", .end = 100, .steps = 2, .rules = {40}});
  for (const char* word : {"x &lt; y", ">x+<", ">x-<", ">step 1<", ">2<", ">waits for the link<", ">barrier<",
                           ">100<", "cycles (100 ns in all)"}) {
    EXPECT_TRUE(holds(text, word)) << word;
  }
  EXPECT_FALSE(holds(text, "one in"));
}

TEST(LinkTimeline, NobodyWaitsWhereNobodyAsksEarly) {
  const std::vector<TimelineBar> bars = {{.arc = ArcId{0}, .begin = 0, .end = 40}};
  const std::string text = picture("line(3)", bars, {.end = 40});
  EXPECT_FALSE(holds(text, "waits"));
  EXPECT_FALSE(holds(text, "barrier"));
}

TEST(LinkTimeline, MessagesOnOneLinkAtOnceHaveLanes) {
  const std::vector<TimelineBar> one = {{.arc = ArcId{0}, .lane = 0, .begin = 0, .end = 40},
                                        {.arc = ArcId{0}, .lane = 1, .begin = 40, .end = 80}};
  std::vector<TimelineBar> two = one;
  two[1].begin = 39;
  // Full height one after the other; half of it side by side.
  EXPECT_TRUE(holds(picture("line(2)", one, {.end = 80}), "v8.4h"));
  EXPECT_FALSE(holds(picture("line(2)", two, {.end = 80}), "v8.4h"));
  EXPECT_TRUE(holds(picture("line(2)", two, {.end = 80}), "v3.9h"));
}

TEST(LinkTimeline, ManyLinksAreSampledAndManyBarsAreARaster) {
  EXPECT_TRUE(holds(picture("torus(8,8)", {}, {.end = 10}), "128 of 256 links, one in 2 of each group"));
  std::vector<TimelineBar> bars;
  for (uint64_t t = 0; t < 20'001; ++t)
    bars.push_back({.arc = ArcId{0}, .asked = t, .begin = t, .end = t + 1});
  const std::string text = picture("line(2)", bars, {.end = 40'000});
  EXPECT_TRUE(holds(text, "100 % of its channels are held"));
  EXPECT_TRUE(holds(text, "crispEdges"));
  EXPECT_LT(text.size(), 10'000U);
}

}  // namespace
}  // namespace link_timeline_test
}  // namespace quadrille
