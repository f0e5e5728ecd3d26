#include "quadrille/algorithms/worm_broadcast/worm_library.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/stored/spoilt_texts.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace worm_library_test {

std::string entry_text(std::string_view torus, int steps, std::string_view quiet, std::string_view data) {
  return fmt::format(
      "quadrille-stored 1\nkind worm_broadcast\ntorus {}\nsteps {}\n{}made-by hand\nsolver none\n"
      "verified no\ndata\n{}",
      torus, steps, quiet.empty() ? "" : fmt::format("quiet {}\n", quiet), data);
}

void read(StoredEntry entry) { static_cast<void>(StoredBroadcast(std::move(entry)).plan()); }

std::string complaint_about(const std::string& text) {
  return complaint(stored_broadcast_kind(), text, read);
}

TEST(WormLibrary, EveryEntryPassesTheJudgeInDimensionOrder) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = Routing::kDimensionOrder;
  EXPECT_GT(worm_library().size(), 30U);
  for (const StoredBroadcast& entry : worm_library()) {
    EXPECT_EQ(entry.plan().size(), entry.steps()) << entry.entry().path();
    EXPECT_TRUE(is_minimal(entry.shape(), entry.plan())) << entry.entry().path();
    if (entry.paired()) continue;  // judged in what is composed from it
    const std::string spec = fmt::format("torus({})", fmt::join(entry.shape().sides, ","));
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model);
    Judge judge(problem);
    send_worms(problem, *WormGrid::of(problem.topology()), entry.plan(), judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << spec << ": " << to_text(verdict.findings.front());
    EXPECT_EQ(verdict.figures.steps, entry.steps());
    EXPECT_EQ(best_bound(problem).value, Rational(static_cast<int64_t>(entry.steps()))) << spec;
  }
}

TEST(WormLibrary, FewestStepsComeFirstAndThenTheLargest) {
  const std::span<const StoredBroadcast> all = worm_library();
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_LE(all[i - 1].steps(), all[i].steps());
    if (all[i - 1].steps() == all[i].steps()) {
      EXPECT_GE(all[i - 1].shape().num_places(), all[i].shape().num_places());
    }
  }
  EXPECT_EQ(find_stored_broadcast({{2, 2}, {true, true}}, false), nullptr);
  EXPECT_NE(find_stored_broadcast({{2, 2}, {true, true}}, true), nullptr);
}

TEST(WormLibrary, EntriesAreReadAndWritten) {
  const std::string text =
      entry_text("3,3", 2, "-;2", "0 1+0+1 2+0-1\n1+1+0 2+0+1 2+0-1\n2-1+0 1-1+1 2+0+1\n");
  const StoredBroadcast entry(StoredEntry(stored_broadcast_kind(), "data/some.txt", text));
  EXPECT_EQ(entry.shape().sides, (std::vector<uint32_t>{3, 3}));
  EXPECT_EQ(entry.steps(), 2U);
  EXPECT_EQ(entry.plan()[0].size(), 3U);
  EXPECT_EQ(write_worms(entry.shape(), entry.plan()), entry.entry().data());
  for (const StoredBroadcast& each : worm_library())
    EXPECT_EQ(write_worms(each.shape(), each.plan()), each.entry().data()) << each.entry().path();
}

TEST(WormLibrary, ASpoiltEntryIsRefusedWithFileAndLine) {
  EXPECT_EQ(complaint_about(entry_text("3,3", 2, "", "0\n1+0+1")),
            "data/some.txt:10: the data ends too soon");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1;", "0 1+1\n1-1\n")),
            "data/some.txt:5: '1;' has not one part for each of 1 dimensions");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1,2", "0 1+1\n1-1\n1+1")),
            "data/some.txt:12: more words than places");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1,2", "0 1+1+1 1-1")),
            "data/some.txt:10: '1+1+1' has more than 1 numbers of hops");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1,2", "0 1 1-1")),
            "data/some.txt:10: '1' is not a step and 1 numbers of hops");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1,2", "0\n2+1 1-1")),
            "data/some.txt:11: 2 is not allowed here: at least 1, at most 1");
  EXPECT_EQ(complaint_about(entry_text("5", 1, "", "0 1+1\n1+1 1-1 1-1")),
            "data/some.txt:10: '1+1' comes from a place that knows nothing yet");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1,2", "0 1-2 1-1")),
            "data/some.txt:10: '1-2' goes the long way round");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "", "0 1+1 1-1")),
            "data/some.txt:3: the coordinates at which nobody sends are 1,2");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "2,1", "0 1+1 1-1")),
            "data/some.txt:5: 1 is not allowed here: at least 3, at most 2");
  EXPECT_EQ(complaint_about(entry_text("1", 1, "", "0")),
            "data/some.txt:3: 1 is not allowed here: at least 2, at most 16777216");
  EXPECT_EQ(complaint_about(entry_text("5000,5000", 1, "", "0")),
            "data/some.txt:3: a torus with too many places");
  EXPECT_EQ(complaint_about(entry_text("3", 1, "1,2", "1 1+1 1-1")),
            "data/some.txt:10: '1' where the root has '0'");
}

TEST(WormLibrary, AccidentsAreNoticedOrMakeAnotherGoodPlan) {
  expect_spoilt_texts_are_refused(stored_broadcast_kind(), 60, [](StoredEntry entry) {
    const StoredBroadcast broadcast(std::move(entry));
    uint64_t places = 1;
    for (const WormStep& step : broadcast.plan()) places += step.size();
    EXPECT_EQ(places, broadcast.shape().num_places());
  });
}

}  // namespace worm_library_test
}  // namespace quadrille
