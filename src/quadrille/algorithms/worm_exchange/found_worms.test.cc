#include "quadrille/algorithms/worm_exchange/found_worms.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/stored/spoilt_texts.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace found_worms_test {

Problem worms_on(const std::string& spec) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.routing = Routing::kShortest;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

// "5 start-ups, 12 blocks", as judged on the ring or line itself; or the first finding.
std::string judged(const Problem& problem, const FoundSchedule& found) {
  const uint32_t n = found.length;
  Judge judge(problem);
  StepBuilder step;
  for (const std::vector<FoundWorm>& phase : found.phases) {
    for (const FoundWorm& worm : phase) {
      std::vector<ArcId> path;
      for (uint32_t v = worm.from; v != worm.to;) {
        const uint32_t next = (worm.up ? v + 1 : v + n - 1) % n;
        const std::optional<ArcId> arc = problem.topology().find_arc(NodeId{v}, NodeId{next});
        if (!arc) return "a worm leaves the line";
        path.push_back(*arc);
        v = next;
      }
      std::vector<BlockId> blocks;
      for (const FoundBlock& block : worm.blocks)
        blocks.push_back(problem.collective().block(Rank{block.source}, Rank{block.target}));
      step.add(path, blocks);
    }
    step.flush(judge);
  }
  const Verdict verdict = judge.finish();
  if (!verdict.passed()) return to_text(verdict.findings.front());
  return std::to_string(verdict.figures.start_ups) + " start-ups, " +
         std::to_string(verdict.figures.critical_blocks) + " blocks";
}

std::string text(const FoundCost& cost) {
  return std::to_string(cost.start_ups) + " start-ups, " + std::to_string(cost.blocks) + " blocks";
}

TEST(FoundWorms, EveryRingPassesTheJudgeAtItsCost) {
  EXPECT_FALSE(found_ring_lengths().empty());
  for (const uint32_t n : found_ring_lengths()) {
    const Problem problem = worms_on("ring(" + std::to_string(n) + ")");
    for (const FoundCost& cost : found_ring_costs(n)) {
      const FoundSchedule ring = found_ring(n, cost.start_ups);
      EXPECT_EQ(ring.cost(), cost) << n << " nodes";
      EXPECT_EQ(judged(problem, ring), text(cost)) << n << " nodes";
    }
  }
}

TEST(FoundWorms, EveryLinePassesTheJudgeAtItsCost) {
  EXPECT_FALSE(found_line_lengths().empty());
  for (const uint32_t n : found_line_lengths()) {
    const Problem problem = worms_on("line(" + std::to_string(n) + ")");
    for (const FoundCost& cost : found_line_costs(n)) {
      const FoundSchedule line = found_line(n, cost.start_ups);
      EXPECT_EQ(line.cost(), cost) << n << " nodes";
      EXPECT_EQ(judged(problem, line), text(cost)) << n << " nodes";
    }
  }
}

TEST(FoundWorms, NothingIsStoredTwiceOrBeatenByAnother) {
  for (const uint32_t n : found_ring_lengths()) {
    const std::vector<FoundCost> costs = found_ring_costs(n);
    for (size_t i = 1; i < costs.size(); ++i) {
      EXPECT_GT(costs[i].start_ups, costs[i - 1].start_ups) << n << " nodes";
      EXPECT_LT(costs[i].blocks, costs[i - 1].blocks) << n << " nodes";
    }
  }
}

std::string complaint_about(std::string_view head, std::string_view data) {
  return complaint(
      stored_exchange_kind(),
      "quadrille-stored 1\nkind worm_exchange\nat-least 1\nmade-by hand\nsolver none\nverified no\n" +
          std::string(head) + "\ndata\n" + std::string(data),
      [](const StoredEntry& entry) { static_cast<void>(read_stored_exchange(entry)); });
}

TEST(FoundWorms, ASpoiltEntryIsRefusedWithFileAndLine) {
  const std::string line = "graph line(2)\nstart-ups 1\nblocks 1";
  EXPECT_EQ(complaint_about(line, "0+1 0:1\n1-1 1:0\n;\n"), "");
  EXPECT_EQ(complaint_about("graph star(2)\nstart-ups 1\nblocks 1", ""),
            "data/some.txt:7: 'star(2)' is neither ring(N) nor line(N)");
  EXPECT_EQ(complaint_about("graph ring(5)\nstart-ups 1\nblocks 1\nturn 2", ""),
            "data/some.txt:10: only a ring can be turned, and by a part of its length");
  EXPECT_EQ(complaint_about(line, "0+1 0:1\n1-1 1:2\n;\n"),
            "data/some.txt:12: 2 is not allowed here: at least 0, at most 1");
  EXPECT_EQ(complaint_about(line, "0+1 0:1\n1+1 1:0\n;\n"), "data/some.txt:12: the worm leaves the line");
  EXPECT_EQ(complaint_about(line, "0+1 0:1\n1-1\n;\n"),
            "data/some.txt:12: '1-1' is no worm: from+places or from-places, then its blocks");
  EXPECT_EQ(complaint_about(line, "0+1 0:1\n1-1 10\n;\n"), "data/some.txt:12: '10' is not SOURCE:TARGETS");
  EXPECT_EQ(complaint_about(line, "0+1 0:1\n1-1 1:0\n"),
            "data/some.txt:13: the last phase is not ended by ';'");
  EXPECT_EQ(complaint_about(line, "0+1 0:0,1\n1-1 1:0\n;\n"),
            "data/some.txt:14: the phases are 1 with 2 blocks, where the head says 1 with 1");
  EXPECT_EQ(complaint_about("graph ring(4)\nstart-ups 1\nblocks 1\nturn 2", "0+1 0:1\n2-1 2:1\n;\n"),
            "data/some.txt:13: the node, or one of its images, sends another worm in this phase");
}

TEST(FoundWorms, AccidentsAreNoticedOrMakeAnotherSchedule) {
  expect_spoilt_texts_are_refused(stored_exchange_kind(), 40, [](const StoredEntry& entry) {
    const FoundSchedule schedule = read_stored_exchange(entry);
    EXPECT_EQ(schedule.cost().start_ups, entry.number("start-ups", 1, 64));
  });
}

TEST(FoundWorms, NothingIsFoundForRingsWithoutAnEntry) {
  EXPECT_TRUE(found_ring_costs(4).empty());
  EXPECT_TRUE(found_line_costs(3).empty());
}

}  // namespace found_worms_test
}  // namespace quadrille
