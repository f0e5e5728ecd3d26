#include "quadrille/compile/groups/plan_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/together.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace plan_groups_test {
namespace {

using ::testing::HasSubstr;

constexpr Model kOnePortModel{.send = kOnePort, .receive = kOnePort};

GroupPlan planned(const std::string& spec, const std::string& lines, const Model& model = {}) {
  const Topology net = parse_topology(spec);
  return plan_groups(net, model, read_groups(net, lines, CollectiveKind::kAlltoall, 1, "groups.txt"));
}

GroupPlan grid(const std::string& spec, const std::string& words, CollectiveKind kind,
               const Model& model = {}) {
  const Topology net = parse_topology(spec);
  return plan_groups(net, model, *grid_groups(net, words, kind, 1));
}

// The judge looks again, and no other group's plan is longer than what is said.
void expect_good(const GroupPlan& made) {
  std::vector<const Schedule*> schedules;
  uint64_t longest = 0;
  for (const PlannedGroup& group : made.groups) {
    ASSERT_TRUE(group.schedule);
    EXPECT_TRUE(verify(group.head.problem, group.schedule->plan()).verdict.passed());
    schedules.push_back(&*group.schedule);
    longest = std::max<uint64_t>(longest, group.schedule->plan().num_steps());
  }
  EXPECT_TRUE(verify_together(schedules).passed());
  EXPECT_EQ(longest, made.steps);
  EXPECT_GE(static_cast<int64_t>(made.steps), made.bound.value.ceil());
}

TEST(PlanGroups, RowsAndColumnsAndPlanesRunAtTheBoundOfOne) {
  for (const CollectiveKind kind : kCollectiveKinds) {
    for (const std::string words : {"rows", "columns"}) {
      SCOPED_TRACE(std::string(name_of(kind)) + " in " + words);
      const GroupPlan made = grid("torus(3,4)", words, kind);
      expect_good(made);
      const Problem one = standard_problem(parse_topology(words == "rows" ? "ring(4)" : "ring(3)"), kind);
      EXPECT_EQ(made.steps, compile(one).verdict.figures.steps);
    }
  }
  const GroupPlan planes = grid("mesh(2,3,3)", "planes", CollectiveKind::kAllgather, kOnePortModel);
  EXPECT_EQ(planes.groups.size(), 2U);
  EXPECT_EQ(planes.groups[0].group.ranks.size(), 9U);
  expect_good(planes);
  EXPECT_EQ(grid("torus(3,2,3)", "0,2", CollectiveKind::kBroadcast).groups.size(), 2U);
}

TEST(PlanGroups, OfEveryKindGoTogetherOnSharedLinks) {
  Sample sample(3);
  const std::string lines =
      "alltoall 0,2,8,10\nbroadcast 1,3,9 root=9 pieces=3\nallreduce 5,7,13,15 # the last\n\ngather 4,12,14\n";
  Model worms;
  worms.switching = Switching::kWormhole;
  for (const Model& model : {Model{}, kOnePortModel, worms}) {
    for (const std::string spec : {"torus(4,4)", "mesh(4,4)", "fat_tree(4^2)", "hypercube(4)"}) {
      if (!sample.takes()) continue;
      SCOPED_TRACE(spec + " " + describe(model));
      const GroupPlan made = planned(spec, lines, model);
      ASSERT_EQ(made.groups.size(), 4U);
      EXPECT_EQ(made.groups[1].head.problem.collective().num_blocks(), 3U);
      EXPECT_EQ(made.groups[1].group.root, Rank{9});
      EXPECT_EQ(made.groups[2].group.line, 3U);
      expect_good(made);
    }
  }
  for (const std::string kind : {"reduce", "reduce_scatter", "scatter", "allgather"}) {
    SCOPED_TRACE(kind);
    expect_good(planned("mesh(3,4)", kind + " 0,5,10\n" + kind + " 1,4,11 pieces=2\nallreduce 2,6,7,9\n"));
  }
}

TEST(PlanGroups, BoundsAddUpWhatCrossesACut) {
  // Three groups of two, each astride of the middle of a line: no other way.
  const GroupPlan made = planned("line(6)", "0,5\n1,4\n2,3\n");
  expect_good(made);
  EXPECT_EQ(made.bound.value.ceil(), 5);
  EXPECT_EQ(planned("line(6)", "0,3 pieces=2\n1,4 pieces=2\n2,5 pieces=2\n").bound.value.ceil(), 6);
  EXPECT_THAT(planned("line(6)", "0,3 pieces=2\n1,4 pieces=2\n2,5 pieces=2\n").bound.witness,
              HasSubstr("6 blocks of 3 groups must"));
}

TEST(PlanGroups, SchedulesThatMeetOnALinkAreFoundOut) {
  const GroupPlan made = planned("line(4)", "broadcast 0,2\nbroadcast 1,3\n");
  expect_good(made);
  // Each by itself starts at once, and both want the link in the middle in their steps 2 and 1: or the same one.
  std::vector<Schedule> alone;
  for (const std::string spec : {"among(line(4);\"0,3\")", "among(line(4);\"1,2\")"}) {
    Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, {}, kNoNode, 3);
    alone.push_back(*compile(problem).schedule);
  }
  const std::vector<const Schedule*> both = {&alone[0], &alone[1]};
  const Verdict verdict = verify_together(both);
  EXPECT_FALSE(verdict.passed());
  EXPECT_EQ(verdict.findings[0].rule, "link_capacity");
  const std::vector<const Schedule*> twice = {&alone[0], &alone[0]};
  EXPECT_THAT(error_of([&] { static_cast<void>(verify_together(twice)); }),
              HasSubstr("disjoint ranks: 0 takes part"));
}

// Merged one by one they would take half as much again.
TEST(PlanGroups, WhatGroupsExchangeIsPlannedAsOneProblem) {
  const GroupPlan made =
      planned("torus(4,4)", "0,5,10,15\n1,4,11,14\nscatter 2,7,8,13 root=7 pieces=2\ngather 3,6,9,12\n");
  expect_good(made);
  EXPECT_EQ(made.steps, 4U);
  const GroupPlan graph = planned("random_regular(24,3;1)", "0-23:2\n1-23:2\n");
  expect_good(graph);
  EXPECT_LE(static_cast<double>(graph.steps), 1.15 * static_cast<double>(graph.bound.value.ceil()));
  EXPECT_THAT(graph.groups[0].head.algorithm, HasSubstr("alltoallv"));
  // Others, which copy, go between.
  const GroupPlan mixed =
      planned("torus(4,4)", "0,5,10,15\n1,4,11,14\nallgather 2,7,8,13\nallreduce 3,6,9,12\n");
  expect_good(mixed);
  const GroupPlan one_port = grid("torus(4,4)", "rows", CollectiveKind::kAlltoall, kOnePortModel);
  expect_good(one_port);
}

// Put together one by one, they took up to twice as many steps.
TEST(PlanGroups, WhatGroupsCopyOrAddUpIsOneSwarm) {
  const auto planned_as = [](const std::string& spec, const std::string& lines, CollectiveKind kind,
                             uint32_t pieces) {
    const Topology net = parse_topology(spec);
    const GroupPlan made = plan_groups(net, {}, read_groups(net, lines, kind, pieces, "groups.txt"));
    expect_good(made);
    return made;
  };
  const std::string two = "0-35:2\n1-35:2\n";
  const std::string four = "0-23:4\n1-23:4\n2-23:4\n3-23:4\n";
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    SCOPED_TRACE(std::string(name_of(kind)));
    const GroupPlan grid = planned_as("torus(6,6)", two, kind, 1);
    EXPECT_LE(static_cast<double>(grid.steps), 1.5 * static_cast<double>(grid.bound.value.ceil()));
    const GroupPlan graph = planned_as("random_regular(24,3;1)", four, kind, 2);
    EXPECT_EQ(grid.groups[0].head.algorithm, "joint_copies");
    EXPECT_LE(static_cast<double>(graph.steps), 1.2 * static_cast<double>(graph.bound.value.ceil()));
  }
  planned_as("random_regular(24,3;1)", four, CollectiveKind::kBroadcast, 6);
  planned_as("random_regular(24,3;1)", four, CollectiveKind::kReduce, 6);
  planned_as("generalized_kautz(24,3)", four, CollectiveKind::kReduceScatter, 2);
  planned_as("clos(4)", "0-15:2\n1-15:2\n", CollectiveKind::kAllgather, 1);
}

// Ranks that lie apart: what relays send counts, and whoever takes what it can get, step by step, has them send in vain.
TEST(PlanGroups, WhatGroupsDoGoesAlongTreesThatAreLaidOutTogether) {
  const std::string four = "0-31:4\n1-31:4\n2-31:4\n3-31:4\n";
  const auto planned_as = [&](const std::string& spec, CollectiveKind kind, uint32_t pieces,
                              const Model& model) {
    const Topology net = parse_topology(spec);
    const GroupPlan made = plan_groups(net, model, read_groups(net, four, kind, pieces, "groups.txt"));
    expect_good(made);
    return made;
  };
  const std::string graph = "random_regular(32,4;1)";
  // Put together one by one they took 72, 113, 69 and 24 steps.
  EXPECT_LE(planned_as(graph, CollectiveKind::kAllgather, 4, kOnePortModel).steps, 48U);
  EXPECT_LE(planned_as(graph, CollectiveKind::kReduceScatter, 4, kOnePortModel).steps, 48U);
  const GroupPlan sums = planned_as(graph, CollectiveKind::kAllreduce, 8, kOnePortModel);
  EXPECT_LE(sums.steps, 32U);
  EXPECT_EQ(sums.groups[0].head.algorithm, "joint_trees");
  EXPECT_LE(planned_as(graph, CollectiveKind::kAllreduce, 8, {}).steps, 14U);
  planned_as("generalized_kautz(32,3)", CollectiveKind::kAllreduce, 4, kOnePortModel);
  planned_as("torus(4,8)", CollectiveKind::kReduce, 5, kOnePortModel);
  const GroupPlan mixed = planned(graph,
                                  "alltoall 0-31:4\nallreduce 1-31:4 pieces=4\nreduce_scatter 2-31:4\n"
                                  "broadcast 3-31:4 pieces=6\n",
                                  kOnePortModel);
  expect_good(mixed);
  EXPECT_EQ(mixed.groups[0].head.algorithm, "joint_trees");
}

// On a ring every tree has as many links as there is way from its first rank to its last.
TEST(PlanGroups, BoundsKnowHowFarApartRanksAre) {
  const GroupPlan line =
      planned("ring(12)", "allgather 0,4,8 pieces=2\nallgather 2,6,10 pieces=2\n", kOnePortModel);
  expect_good(line);
  EXPECT_EQ(line.bound.value.ceil(), 8);  // 12 trees of 8 links, 12 ports
  EXPECT_THAT(line.bound.witness, HasSubstr("the trees of all blocks cost 96 at least"));
  const GroupPlan sums = planned("ring(12)", "allreduce 0,4,8 pieces=6\nallreduce 2,6,10 pieces=6\n");
  expect_good(sums);
  EXPECT_GE(sums.bound.value.ceil(), 5);  // 12 pieces up 8 links, and 2 others hear of each; 24 arcs
}

TEST(PlanGroups, BadLinesAreNamed) {
  const auto error = [](const std::string& lines) {
    return error_of([&] {
      static_cast<void>(
          read_groups(parse_topology("mesh(3,3)"), lines, CollectiveKind::kAlltoall, 1, "g.txt"));
    });
  };
  EXPECT_THAT(error("0-3\n\nalltoall 3-5\n"),
              HasSubstr("g.txt:3: (1,0) (rank 3) is in the group of line 1, too; groups share no rank"));
  EXPECT_THAT(error("0-3\nallgather # nobody\n"), HasSubstr("g.txt:2: the group is empty"));
  EXPECT_THAT(error("0-3\n7\n"), HasSubstr("g.txt:2: a group of (2,1) alone"));
  EXPECT_THAT(error("broadcast 0-3 root=4\n"), HasSubstr("g.txt:1: the root (1,1) is outside of its group"));
  EXPECT_THAT(error("allgather 0-3 root=1\n"), HasSubstr("g.txt:1: allgather has no root"));
  EXPECT_THAT(error("alltoal 0-3\n"),
              HasSubstr("g.txt:1: unknown collective 'alltoal'; did you mean 'alltoall'?"));
  EXPECT_THAT(error("0-3 pieces=0\n"), HasSubstr("g.txt:1: 'pieces=0'"));
  EXPECT_THAT(error("0-3 bytes=1K\n"),
              HasSubstr("g.txt:1: 'bytes=1K' is no word of a group; allowed are root=NODE and pieces=P"));
  EXPECT_THAT(error("0-3,12\n"), HasSubstr("g.txt:1: '12': there is no rank 12"));
  EXPECT_THAT(error("0-3,2\n"), HasSubstr("g.txt:1: rank 2 is named twice"));
  EXPECT_THAT(error("# none\n"), HasSubstr("g.txt: no line has a group"));
  const auto words = [](const std::string& spec, const std::string& given) {
    return error_of(
        [&] { static_cast<void>(grid_groups(parse_topology(spec), given, CollectiveKind::kAlltoall, 1)); });
  };
  EXPECT_THAT(words("ring(5)", "rows"), HasSubstr("ring(5) is no grid of 2 dimensions"));
  EXPECT_THAT(words("torus(4,4)", "planes"), HasSubstr("no grid of 3 dimensions"));
  EXPECT_THAT(words("torus(4,4)", "0,2"), HasSubstr("torus(4,4) has 2 dimensions, counted from 0"));
  EXPECT_FALSE(
      grid_groups(parse_topology("torus(4,4)"), "groups.txt", CollectiveKind::kAlltoall, 1).has_value());
}

TEST(GroupList, AGridWithoutLinksOrNumberedOtherwiseIsAGrid) {
  const auto ranks = [](const std::string& spec, const std::string& words) {
    std::vector<std::string> out;
    const auto groups = grid_groups(parse_topology(spec), words, CollectiveKind::kAlltoall, 1);
    for (const RankGroup& group : *groups) out.push_back(ranks_text(group.ranks));
    return out;
  };
  const std::vector<std::string> rows = ranks("torus(3,4)", "rows");
  EXPECT_EQ(ranks("without(torus(3,4);\"link 0 1\")", "rows"), rows);
  EXPECT_EQ(ranks("torus(3,4)", "dimensions 1"), rows);
  EXPECT_EQ(ranks("torus(3,4)", "1"), rows);
  // mesh(2,3) by its links, columns first.
  EXPECT_THAT(ranks("edges(\"0 2, 2 4, 1 3, 3 5, 0 1, 2 3, 4 5\")", "rows"),
              ::testing::UnorderedElementsAre("0-4:2", "1-5:2"));
  EXPECT_THAT(error_of([&] { static_cast<void>(ranks("without(torus(3,4);\"node 0\")", "rows")); }),
              HasSubstr("is no grid of 2 dimensions or more"));
}

}  // namespace
}  // namespace plan_groups_test
}  // namespace quadrille
