#include "quadrille/algorithms/worm_broadcast/worm_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

std::string message_of(std::string_view text) {
  try {
    static_cast<void>(read_stored_broadcast(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(WormLibrary, EveryEntryPassesTheJudgeInDimensionOrder) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = Routing::kDimensionOrder;
  for (const StoredBroadcast& entry : worm_library()) {
    if (entry.paired) continue;  // judged in what is composed from it
    const std::string spec = fmt::format("torus({})", fmt::join(entry.shape.sides, ","));
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model);
    Judge judge(problem);
    send_worms(problem, *WormGrid::of(problem.topology()), entry.plan, judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << spec << ": " << to_text(verdict.findings.front());
    EXPECT_EQ(verdict.figures.steps, entry.plan.size());
    EXPECT_EQ(best_bound(problem).value, Rational(static_cast<int64_t>(entry.plan.size()))) << spec;
  }
}

TEST(WormLibrary, EntriesAreReadAndWritten) {
  const StoredBroadcast entry =
      read_stored_broadcast("3,3 2\n0 1+0+1 2+0-1\n1+1+0 2+0+1 2+0-1\n2-1+0 1-1+1 2+0+1\n");
  EXPECT_EQ(entry.shape.sides, (std::vector<uint32_t>{3, 3}));
  EXPECT_EQ(entry.plan.size(), 2U);
  EXPECT_EQ(entry.plan[0].size(), 3U);
  EXPECT_EQ(write_stored_broadcast(entry.shape, entry.plan),
            "3,3 2\n0 1+0+1 2+0-1\n1+1+0 2+0+1 2+0-1\n2-1+0 1-1+1 2+0+1\n");
  for (const StoredBroadcast& each : worm_library()) {
    if (each.paired) continue;
    const StoredBroadcast again = read_stored_broadcast(write_stored_broadcast(each.shape, each.plan));
    EXPECT_EQ(again.shape, each.shape);
    EXPECT_EQ(again.quiet, each.quiet);
  }
}

TEST(WormLibrary, BadEntriesAreRefusedWithTheReason) {
  EXPECT_EQ(message_of("3,3 2 0 1+0+1"), "a stored broadcast ends too soon");
  EXPECT_EQ(message_of("3 1 0 1+1 1-1 1+1"), "a stored broadcast has more words than places");
  EXPECT_EQ(message_of("3 1 0 1+1+1 1-1"), "a word of a stored broadcast has 3 numbers; it needs 2");
  EXPECT_EQ(message_of("3 1 0 2+1 1-1"), "'2+1' in a stored broadcast of 1 steps");
  EXPECT_EQ(message_of("5 1 0 1+1 1+1 1-1 1-1"),
            "in step 1 of a stored broadcast a place sends that knows nothing");
  EXPECT_EQ(message_of("3 1 0 1-2 1-1"), "a worm of a stored broadcast goes the long way round");
  EXPECT_EQ(message_of("1 1 0"), "a side of 1 in a stored broadcast; at least 2 is allowed");
  EXPECT_EQ(message_of("x"), "'x' in a stored broadcast is no number");
}

}  // namespace
}  // namespace quadrille
