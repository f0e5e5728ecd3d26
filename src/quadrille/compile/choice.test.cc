#include "quadrille/compile/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_cayley;
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_matchings;
extern const Algorithm scatter_flow;
}  // namespace algorithms

namespace choice_test {

Model one_port() {
  Model model;
  model.send = kOnePort;
  model.receive = kOnePort;
  return model;
}

TEST(AlgorithmChoice, ChoosesTheFewestPredictedStepsAndSaysWhy) {
  const Choice torus =
      choose_algorithm(standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, one_port()));
  EXPECT_EQ(torus.algorithm->name, "alltoall_cayley") << "the first in the catalog of those that predict 32";
  EXPECT_THAT(torus.reason,
              ::testing::MatchesRegex(
                  "predicts 32 steps, the fewest of [0-9]+ that apply; next: alltoall_[a-z_]+, 32"));
}

// Many blocks a message: steps count first, then what goes over a link at once.
TEST(AlgorithmChoice, OfAsManyStepsTheFewestBlocksAreTaken) {
  Model many;
  many.packets = Packets::kMany;
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    const Choice choice = choose_algorithm(standard_problem(parse_topology("torus(5,7)"), kind, many));
    EXPECT_EQ(choice.prediction.steps, 5U) << choice.reason;
    EXPECT_EQ(choice.prediction.critical_blocks, 9U) << choice.reason;
  }
}

// alltoall_matchings and its like route every block before they can say how many steps it takes.
TEST(AlgorithmChoice, APlanThatTakesWorkIsAskedOnlyIfNoOtherReachesTheBound) {
  const Problem mesh = standard_problem(parse_topology("mesh(3,3)"), CollectiveKind::kAlltoall, one_port());
  ASSERT_EQ(algorithms::alltoall_matchings.plan_for(mesh)->effort(), Effort::kMuch);
  EXPECT_EQ(choose_algorithm(mesh).plan->effort(), Effort::kMuch);
  const uint64_t others = *choose_algorithm(mesh, 1, UINT64_MAX).prediction.steps;
  EXPECT_GT(others, *algorithms::alltoall_matchings.plan_for(mesh)->prediction().steps);
  EXPECT_EQ(choose_algorithm(mesh, 1, others).plan->effort(), Effort::kLittle);
  EXPECT_EQ(choose_algorithm(mesh, 1, others - 1).plan->effort(), Effort::kMuch);
}

TEST(AlgorithmChoice, InATieWhatTakesWorkComesLast) {
  const Problem ring = standard_problem(parse_topology("ring(6)"), CollectiveKind::kScatter, one_port());
  const uint64_t steps = *algorithms::scatter_flow.plan_for(ring)->prediction().steps;
  const Choice choice = choose_algorithm(ring, 1, steps - 1);
  EXPECT_EQ(*choice.prediction.steps, steps);
  EXPECT_EQ(choice.plan->effort(), Effort::kLittle) << choice.reason;
}

TEST(AlgorithmChoice, WhatWasSearchedForThePredictionIsKeptForThePlan) {
  for (const auto& [spec, kind, card] :
       {std::tuple("mesh(3,3)", CollectiveKind::kAlltoall, "alltoall_matchings"),
        {"generalized_petersen(7,2)", CollectiveKind::kBroadcast, "auto"},
        {"torus(5,5)", CollectiveKind::kAllgather, "allgather_node_invariant"}}) {
    const Choice choice = pick_algorithm(standard_problem(parse_topology(spec), kind, one_port()), card);
    ASSERT_TRUE(choice.prediction.steps) << choice.name();
    const uint64_t before = work_counted(Work::kSearching);
    CountingSink count;
    choice.generate(count);
    EXPECT_EQ(work_counted(Work::kSearching), before) << choice.name();
    EXPECT_EQ(count.steps(), *choice.prediction.steps) << choice.name();
  }
}

// On more than 128 nodes each is asked as long as it can be the best.
TEST(AlgorithmChoice, AskingEndsWhereTheBoundIsReached) {
  const Problem tree = standard_problem(parse_topology("tree(2^7)"), CollectiveKind::kAlltoall);
  const uint64_t before = work_counted(Work::kSearching);
  const Choice first = choose_algorithm(tree, 1, UINT64_MAX);
  EXPECT_EQ(first.plan->effort(), Effort::kMuch);
  EXPECT_EQ(work_counted(Work::kSearching) - before, 1U) << "alltoall_direct applies, and is not asked";
}

// Two figures: what is cheapest depends on what a start-up costs, and how large a block is.
TEST(AlgorithmChoice, WormsAreChosenByTheTimeOfStartUpsAndBlocks) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  model.cost = {.ts = 10, .tx = 1};
  const Problem problem = standard_problem(parse_topology("torus(8,8)"), CollectiveKind::kAlltoall, model);
  const auto figures = [&](uint64_t block_bytes) {
    const Prediction prediction = choose_algorithm(problem, block_bytes).prediction;
    return std::pair(*prediction.start_ups, *prediction.critical_blocks);
  };
  EXPECT_EQ(figures(1), std::pair(uint64_t{8}, uint64_t{160}));
  EXPECT_EQ(figures(100), std::pair(uint64_t{81}, uint64_t{81}));
  const Choice choice = choose_algorithm(problem);
  EXPECT_EQ(choice.name(), std::string(choice.algorithm->name) + ":" + choice.member);
  EXPECT_THAT(choice.reason, ::testing::HasSubstr("the cheapest of"));
}

// On mesh(8,8) alltoall_mesh predicts what it rearranges, 126 blocks; the hybrid, with fewer blocks on the
// critical path, does not.
TEST(AlgorithmChoice, NobodyIsCheaperBecauseItsRearrangementIsUnknown) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  model.cost = {.ts = 1, .tx = 1, .rho = 100};
  const Problem problem = standard_problem(parse_topology("mesh(8,8)"), CollectiveKind::kAlltoall, model);
  const Choice known = choose_algorithm(problem);
  ASSERT_TRUE(known.rearranged()) << known.name();
  // One worm, one block: there is nothing to rearrange.
  EXPECT_EQ(known.algorithm->name, "alltoall_direct");

  std::vector<std::string> asked;
  const auto meter = [&](uint64_t hybrid) {
    return [&asked, hybrid](const Choice& choice) -> MeasuredCost {
      asked.emplace_back(choice.algorithm->name);
      if (choice.algorithm->name == "alltoall_mesh_hybrid") return {.rearranged = hybrid};
      return {};
    };
  };
  const Choice measured = choose_algorithm(problem, 1, 0, meter(0));
  EXPECT_EQ(measured.algorithm->name, "alltoall_mesh_hybrid");
  EXPECT_EQ(measured.prediction.rearranged, 0U);
  EXPECT_EQ(choose_algorithm(problem, 1, 0, meter(126)).algorithm->name, "alltoall_direct");
  EXPECT_THAT(asked, ::testing::Contains("alltoall_mesh_hybrid"));
  EXPECT_THAT(asked, ::testing::Not(::testing::Contains("alltoall_mesh")));
}

TEST(AlgorithmChoice, NobodyIsMeasuredWhereRearrangementCostsNothing) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  model.cost = {.ts = 1, .tx = 1};
  const Problem problem = standard_problem(parse_topology("mesh(4,4)"), CollectiveKind::kAlltoall, model);
  const auto never = [](const Choice& choice) -> MeasuredCost {
    ADD_FAILURE() << choice.name();
    return {};
  };
  EXPECT_EQ(choose_algorithm(problem, 1, 0, never).name(), choose_algorithm(problem).name());
}

// What far ways cost counts: with a dear hop the choice goes short ways, and never is anybody best because it
// does not say how far it goes.
TEST(AlgorithmChoice, PropagationCountsWhereDistanceCosts) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  model.cost = {.ts = 1, .tx = 1, .tl = 100};
  const Problem problem = standard_problem(parse_topology("mesh(4,4)"), CollectiveKind::kAlltoall, model);
  std::vector<std::string> asked;
  const auto meter = [&](const Choice& choice) -> MeasuredCost {
    asked.push_back(choice.name());
    Judge judge(problem);
    choice.plan->generate(judge);
    return {.critical_hops = judge.finish().figures.critical_hops};
  };
  const Choice choice = choose_algorithm(problem, 1, 0, meter);
  EXPECT_TRUE(asked.empty()) << asked.front();  // every card predicts how far its worms go
  ASSERT_TRUE(choice.critical_hops());
  const auto time = [&](const Choice& c) {
    const MeasuredCost measured = meter(c);
    return 1.0 * static_cast<double>(*c.prediction.start_ups) +
           1.0 * static_cast<double>(*c.prediction.critical_blocks) +
           100.0 * static_cast<double>(*measured.critical_hops);
  };
  for_each_choice(problem, 1, [&](const Choice& other) {
    if (!other.prediction.start_ups || !other.prediction.critical_blocks) return;
    EXPECT_LE(time(choice), time(other)) << other.name();
  });
}

TEST(AlgorithmChoice, TheFrontHoldsNothingThatAnotherReachesInBothFigures) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  const Problem problem = standard_problem(parse_topology("torus(6,5)"), CollectiveKind::kAlltoall, model);
  Prediction last;
  for (const Choice& choice : pareto_front(problem)) {
    const Prediction prediction = choice.prediction;
    if (last.start_ups) {
      EXPECT_GT(*prediction.start_ups, *last.start_ups);
      EXPECT_LT(*prediction.critical_blocks, *last.critical_blocks);
    }
    last = prediction;
  }
  EXPECT_TRUE(last.start_ups.has_value());
}

// What no other card serves; in so many pieces that nobody measures a plan to make a prediction, and where none is lent for fewer.
TEST(AlgorithmChoice, ACardWithoutAPredictionIsChosenWhereNoOtherApplies) {
  TopologyBuilder builder("one_way", 4);
  for (uint32_t i = 0; i < 4; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 4});
  builder.endpoints({NodeId{0}, NodeId{1}, NodeId{2}});
  const Topology one_way = builder.build();
  const auto choice = [&](uint32_t pieces) {
    return choose_algorithm(standard_problem(one_way, CollectiveKind::kAlltoall, one_port(), kNoNode, pieces),
                            1, 0, {}, false);
  };
  EXPECT_EQ(choice(1'000'000).algorithm->name, "alltoall_direct");
  EXPECT_THAT(choice(1).reason, ::testing::StartsWith("predicts 4 steps"));
  EXPECT_EQ(choice(1'000'000).reason, "nothing else applies");
}

// A greedy plan can be the best there is; on trees nothing else comes near.
TEST(AlgorithmChoice, TheBaselineIsMeasuredAndCanWin) {
  for (const auto& [spec, kind, steps] : {std::tuple("tree(2^4)", CollectiveKind::kAlltoall, 240),
                                          {"generalized_petersen(5,2)", CollectiveKind::kAlltoall, 5},
                                          {"generalized_petersen(7,2)", CollectiveKind::kAllgather, 5}}) {
    EXPECT_EQ(choose_algorithm(standard_problem(parse_topology(spec), kind, Model{})).prediction.steps, steps)
        << spec;
  }
}

TEST(AlgorithmChoice, ACardThatDoesNotServeIsAnsweredWithOneThatDoes) {
  const Problem mesh = standard_problem(parse_topology("mesh(3,3)"), CollectiveKind::kAlltoall, one_port());
  EXPECT_THAT(instead_of(algorithms::alltoall_cayley, mesh),
              ::testing::MatchesRegex("alltoall_[a-z_]+ applies, and predicts [0-9]+ steps"));
  require_serves(algorithms::alltoall_direct, mesh);
  try {
    require_serves(algorithms::alltoall_cayley, mesh);
    FAIL() << "it does not apply";
  } catch (const InputError& e) {
    EXPECT_EQ(
        std::string_view(e.what()),
        "--algorithm: alltoall_cayley does not apply to alltoall on mesh(3,3): it needs a Cayley graph; no "
        "group is known for mesh(3,3); " +
            instead_of(algorithms::alltoall_cayley, mesh));
  }
}

TEST(AlgorithmChoice, ANameThatIsAskedForIsExplainedWhereItIsWrong) {
  const Problem torus = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, one_port());
  const auto error = [&](const std::string& asked) -> std::string {
    try {
      static_cast<void>(pick_algorithm(torus, asked));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(pick_algorithm(torus, "alltoall_direct").name(), "alltoall_direct");
  EXPECT_EQ(pick_algorithm(torus, "auto").name(), "alltoall_cayley");
  EXPECT_THAT(error("alltoall_drect"), ::testing::HasSubstr("did you mean 'alltoall_direct'?"));
  EXPECT_THAT(error("broadcast_torus"), ::testing::HasSubstr("is for broadcast, not for alltoall"));
  EXPECT_THAT(error("alltoall_direct:best"), ::testing::HasSubstr("is no family"));
}

TEST(AlgorithmChoice, WhereNothingAppliesEveryReasonIsGiven) {
  Model no_queues;
  no_queues.queue_limit = 0;
  try {
    static_cast<void>(
        choose_algorithm(standard_problem(parse_topology("mesh(3,3)"), CollectiveKind::kGather, no_queues)));
    FAIL() << "nothing applies";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), ::testing::StartsWith("no algorithm applies to gather on mesh(3,3) with "));
    EXPECT_THAT(e.what(), ::testing::HasSubstr("\n  gather_fat_tree: it needs a fat tree"));
    EXPECT_THAT(e.what(),
                ::testing::HasSubstr("\n  gather_furthest_first: it does not say how long its queues get"));
  }
}

// Directed graphs, routers, links with different capacities: something always applies.
TEST(AlgorithmChoice, EveryCollectiveHasAnAlgorithmOnEveryGraph) {
  TopologyBuilder builder("uneven", 6);
  for (uint32_t i = 0; i < 6; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 6}, i % 3 + 1);
  builder.link(NodeId{0}, NodeId{3});
  builder.arc(NodeId{4}, NodeId{2}, 2);
  builder.endpoints({NodeId{0}, NodeId{2}, NodeId{3}, NodeId{5}});
  const Topology uneven = builder.build();
  Model half_duplex = one_port();
  half_duplex.duplex = Duplex::kHalf;
  for (const Model& model : {Model{}, one_port(), half_duplex}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      const Problem problem = standard_problem(uneven, kind, model, kNoNode, 2);
      EXPECT_NO_THROW(static_cast<void>(choose_algorithm(problem))) << name_of(kind);
    }
  }
}

}  // namespace choice_test
}  // namespace quadrille
