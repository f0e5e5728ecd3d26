#include "quadrille/compile/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/progress.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace compile_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Problem exchange(std::string_view network, const Model& model = {}) {
  return make_problem(parse_topology(network), CollectiveKind::kAlltoall, model);
}

// Worms, one port.
Model worms(double ts = 1, double rho = 0) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.cost = {.ts = ts, .tx = 1, .rho = rho};
  return model;
}

TEST(Compile, AProblemBecomesAScheduleWithItsBoundsAndTheReason) {
  const Compiled made = compile(exchange("torus(4,4)"));
  ASSERT_TRUE(made.schedule);
  EXPECT_TRUE(made.good());
  EXPECT_TRUE(made.optimal());
  EXPECT_EQ(made.verdict.figures.steps, 8U);
  EXPECT_EQ(made.schedule->plan().num_steps(), 8U);
  EXPECT_EQ(made.least_steps().value, Rational::of(Int128{8}, 1));
  EXPECT_THAT(made.reason, StartsWith("predicts 8 steps, the fewest of "));
  EXPECT_EQ(made.head.stated_figures.steps, 8U);
  EXPECT_FALSE(made.time) << "only start-ups cost anything";
}

TEST(Decide, WhereItIsWishedForAnEquallyGoodPlanIsTheSameAtAllNodes) {
  const auto chosen = [](std::string_view network, bool wished) {
    return decide(exchange(network), {.same_at_all_nodes = wished});
  };
  EXPECT_EQ(chosen("torus(12,12)", false).head.algorithm, "alltoall_product_rounds");
  const Decision other = chosen("torus(12,12)", true);
  EXPECT_EQ(other.head.algorithm, "alltoall_torus");
  EXPECT_EQ(other.reason, "as good as alltoall_product_rounds, and the same at all nodes");
  EXPECT_EQ(other.head.stated_figures.steps, 216U);
  // Of large ones, where all nodes would take long to judge, one that has to be searched for.
  const Decision searched = chosen("product(star(4),cube_connected_cycles(4))", true);
  EXPECT_EQ(chosen("product(star(4),cube_connected_cycles(4))", false).head.stated_figures.steps,
            searched.head.stated_figures.steps);
  EXPECT_EQ(searched.head.algorithm, "alltoall_cayley_ports");
  // On small networks a file of all ranks is small, and a mesh has no translations.
  EXPECT_EQ(chosen("torus(8,8)", true).head.algorithm, chosen("torus(8,8)", false).head.algorithm);
  EXPECT_EQ(chosen("mesh(12,12)", true).head.algorithm, chosen("mesh(12,12)", false).head.algorithm);
}

TEST(Compile, AStreamedPlanHasTheSameFiguresAndNoSchedule) {
  const Problem problem = exchange("mesh(3,4)");
  const Compiled stored = compile(problem);
  const Compiled streamed = compile(problem, {.stored = false});
  EXPECT_FALSE(streamed.schedule);
  EXPECT_EQ(streamed.verdict.figures, stored.verdict.figures);
  EXPECT_EQ(streamed.head.algorithm, stored.head.algorithm);
}

TEST(Compile, LargePlansThatAreTheSameAtAllNodesAreJudgedAtOne) {
  for (const char* spec : {"torus(12,12)", "hypercube(8)", "generalized_hypercube(5,5,6)", "star(6)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllgather}) {
      const Problem problem = standard_problem(parse_topology(spec), kind);
      const Wishes all{.same_at_all_nodes = true};
      Wishes one = all;
      one.stored = false;
      const Compiled judged = compile(problem, one);
      ASSERT_TRUE(judged.verdict.at_one_node) << problem.title() << ": " << judged.head.algorithm;
      const Compiled stored = compile(problem, all);
      EXPECT_FALSE(stored.verdict.at_one_node);
      EXPECT_EQ(judged.head.algorithm, stored.head.algorithm);
      EXPECT_EQ(judged.verdict.figures, stored.verdict.figures) << problem.title();
      // Whoever wants the steps gets them written out.
      Plan steps;
      one.steps_to = &steps;
      EXPECT_FALSE(compile(problem, one).verdict.at_one_node);
      EXPECT_EQ(steps.num_steps(), stored.verdict.figures.steps);
    }
  }
}

TEST(Compile, WhoeverWantsTheStepsGetsAllOfThemOnce) {
  const Problem problem = exchange("ring(5)");
  for (const bool stored : {false, true}) {
    Plan steps;
    const Compiled made = compile(problem, {.stored = stored, .steps_to = &steps});
    EXPECT_EQ(steps.num_steps(), made.verdict.figures.steps);
    EXPECT_EQ(steps.num_transfers(), made.verdict.figures.transfers);
  }
}

TEST(Compile, AnAlgorithmIsAskedForByName) {
  const Problem problem = exchange("torus(4,4)");
  const Compiled made = compile(problem, {.algorithm = "alltoall_cayley"});
  EXPECT_EQ(made.head.algorithm, "alltoall_cayley");
  EXPECT_EQ(made.reason, "asked for");
  EXPECT_THROW(static_cast<void>(compile(problem, {.algorithm = "alltoall_cayly"})), InputError);
  // A published cost has no plan.
  EXPECT_THROW(static_cast<void>(compile(problem, {.algorithm = "alltoall_t2d1"})), InputError);
}

TEST(Compile, TheRunnerUpIsNamedWithWhatItPredicts) {
  const Compiled made = compile(exchange("torus(4,4)"));
  ASSERT_TRUE(made.runner_up);
  EXPECT_NE(made.runner_up->algorithm, made.head.algorithm);
  EXPECT_THAT(made.reason, HasSubstr("; next: " + made.runner_up->algorithm + ", "));
  ASSERT_TRUE(made.runner_up->predicted.steps);
  EXPECT_GE(*made.runner_up->predicted.steps, made.verdict.figures.steps);
  EXPECT_FALSE(compile(exchange("torus(4,4)"), {.algorithm = made.runner_up->algorithm}).runner_up);
}

TEST(Compile, CardsOfProductsShareThePlansOfTheirFactors) {
  // Both cards for products with all ports want the exchange of the same factor.
  const Problem problem = exchange("product(generalized_petersen(5,2),generalized_petersen(5,2))");
  const auto searches = [&](const std::string& algorithm) {
    const uint64_t before = work_counted(Work::kSearching);
    static_cast<void>(decide(problem, {.algorithm = algorithm}));
    return work_counted(Work::kSearching) - before;
  };
  const uint64_t rounds = searches("alltoall_product_rounds");
  const uint64_t staggered = searches("alltoall_product_staggered");
  const SharedFactorExchanges shared;
  EXPECT_EQ(searches("alltoall_product_rounds"), rounds);
  EXPECT_LT(searches("alltoall_product_staggered"), staggered);
}

TEST(Compile, LargeNetworksDoNotLookForTheSameWormsWithEveryNumberOfPorts) {
  // Counted, not timed: ten ports, eight, .. would each be a search of its own, and each once more backwards.
  for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kBroadcast}) {
    const Problem problem =
        standard_problem(parse_topology("hypercube(8)"), kind, {.switching = Switching::kWormhole});
    const uint64_t before = work_counted(Work::kSearching);
    static_cast<void>(decide(problem));
    EXPECT_LE(work_counted(Work::kSearching) - before, 60U) << name_of(kind);
  }
}

TEST(Compile, ADecisionIsKnownBeforeTheFirstStep) {
  const Problem problem = exchange("ring(6)");
  const Decision decision = decide(problem);
  EXPECT_FALSE(decision.bounds.empty());
  EXPECT_FALSE(decision.made) << "packets are chosen by what is predicted";
  const Compiled made = compile(decision);
  EXPECT_EQ(made.head.algorithm, decision.head.algorithm);
  EXPECT_EQ(made.verdict.figures.steps, decision.head.stated_figures.steps);
}

TEST(Compile, WhatWasMadeForTheChoiceIsTheOneThatComesOut) {
  const Problem problem = exchange("mesh(8,8)", worms(1, 0.1));
  const Wishes wishes{.bytes = 1, .queues = true, .arrays = true};
  const Decision decision = decide(problem, wishes);
  ASSERT_TRUE(decision.made) << "what it rearranges is not predicted and had to be measured";
  Plan steps;
  const Compiled made = compile(decision, wishes);
  ASSERT_TRUE(made.schedule);
  EXPECT_TRUE(made.verdict.queues);
  ASSERT_TRUE(made.arrays);
  EXPECT_EQ(made.rearranged, made.arrays->rearranged());
  EXPECT_EQ(made.rearranged, decision.rearranged);
  const Compiled streamed = compile(decision, {.stored = false, .steps_to = &steps});
  EXPECT_EQ(steps, made.schedule->plan());
  EXPECT_FALSE(streamed.schedule);
  EXPECT_EQ(streamed.verdict.figures, made.verdict.figures);
}

TEST(Compile, HopsEnterTheTimeOfWormsAndOfPackets) {
  Model model = worms();
  model.cost.tl = 3;
  const Compiled far = compile(exchange("mesh(4,4)", model), {.algorithm = "alltoall_mesh", .bytes = 10});
  ASSERT_TRUE(far.time);
  // C/2 - 1 hops of two links and one back in each ring phase, one link in the two swaps.
  uint64_t hops = 0;
  for (size_t s = 0; s < far.schedule->plan().num_steps(); ++s) {
    size_t most = 0;
    const StepView step = far.schedule->plan().step(s);
    for (size_t t = 0; t < step.size(); ++t) most = std::max(most, step.arcs(t).size());
    hops += most;
  }
  EXPECT_GT(hops, far.verdict.figures.start_ups);
  EXPECT_EQ(far.verdict.figures.critical_hops, hops);
  EXPECT_DOUBLE_EQ(far.time->propagation, 3.0 * static_cast<double>(hops));
  EXPECT_DOUBLE_EQ(far.time->total, far.time->latency + far.time->propagation + far.time->transfer);
  EXPECT_GE(far.time->least, 4.0 * static_cast<double>(far.least_steps().value.ceil()));

  const Compiled packets = compile(exchange("ring(5)", {.cost = {.ts = 2, .tl = 3}}));
  ASSERT_TRUE(packets.time);
  EXPECT_DOUBLE_EQ(packets.time->propagation, 3.0 * static_cast<double>(packets.verdict.figures.steps));
  EXPECT_DOUBLE_EQ(packets.time->total, 5.0 * static_cast<double>(packets.verdict.figures.steps));
}

TEST(Compile, TimesAreGivenWhereTheyAreMoreThanSteps) {
  const Compiled made = compile(exchange("mesh(4,4)", worms()), {.bytes = 10});
  ASSERT_TRUE(made.time);
  const Figures& figures = made.verdict.figures;
  EXPECT_DOUBLE_EQ(made.time->total, static_cast<double>(figures.start_ups) +
                                         10.0 * static_cast<double>(figures.critical_blocks));
  EXPECT_DOUBLE_EQ(made.time->latency, static_cast<double>(figures.start_ups));
  EXPECT_LE(made.time->least, made.time->total);
}

std::string algorithm_for(const Problem& problem, uint64_t bytes) {
  return decide(problem, {.bytes = bytes, .any_pieces = true, .any_packets = true}).head.algorithm;
}

Problem exchange_of_bytes(const char* network) {
  Model model;
  model.cost = {.ts = 1, .tx = 1e-4};
  return exchange(network, model);
}

TEST(Compile, LargeNetworksExchangeLargeBlocksAsSinglePacketsAndLookNoFurther) {
  const Problem problem = exchange_of_bytes("random_regular(136,5;1)");
  const uint64_t before = work_counted(Work::kSearching);
  EXPECT_EQ(algorithm_for(problem, uint64_t{1} << 22U), "alltoall_balanced_paths");
  EXPECT_LE(work_counted(Work::kSearching) - before, 2U);
}

TEST(CompileSlow, LargeNetworksExchangeShortMessagesTogether) {
  for (const char* const network : {"random_regular(136,5;1)", "random_regular(600,6;1)"}) {
    const uint64_t before = work_counted(Work::kSearching);
    EXPECT_THAT(algorithm_for(exchange_of_bytes(network), 64), StartsWith("alltoall_combining:"));
    EXPECT_LE(work_counted(Work::kSearching) - before, 6U) << network;
  }
}

TEST(Compile, LargerBlocksTradeStartUpsForBlocks) {
  const Problem problem = exchange("torus(16,16)", worms(2500));
  const Decision small = decide(problem, {.bytes = 1});
  const Decision large = decide(problem, {.bytes = 1000});
  EXPECT_LT(*small.head.stated_figures.start_ups, *large.head.stated_figures.start_ups);
  EXPECT_GT(*small.head.stated_figures.critical_blocks, *large.head.stated_figures.critical_blocks);
}

// Writes down what it is told.
class Diary final : public Progress {
 public:
  void begin(std::string_view what) override { lines.emplace_back(what); }
  void end() override { lines.emplace_back("over"); }
  void made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) override {
    last_steps = steps;
    expected = of.value_or(0);
    last_transfers = transfers;
  }

  std::vector<std::string> lines{};
  uint64_t last_steps = 0;
  uint64_t expected = 0;
  uint64_t last_transfers = 0;
};

TEST(Compile, ProgressIsTold) {
  Diary diary;
  const Compiled made = compile(exchange("ring(6)"), {.stored = false, .progress = &diary});
  EXPECT_THAT(diary.lines, ElementsAre("choosing an algorithm", "over", "making the plan", "over"));
  EXPECT_EQ(diary.last_steps, made.verdict.figures.steps);
  EXPECT_EQ(diary.expected, made.verdict.figures.steps);
  EXPECT_EQ(diary.last_transfers, made.verdict.figures.transfers);
}

TEST(Compile, ProgressIsOverWhenNothingApplies) {
  Diary diary;
  const Wishes wishes{.algorithm = "nonsense", .progress = &diary};
  EXPECT_THROW(static_cast<void>(decide(exchange("ring(6)"), wishes)), InputError);
  EXPECT_EQ(diary.lines.back(), "over");
}

// Tells what a search has found.
class Listening final : public Progress {
 public:
  void found(uint64_t steps, uint64_t least) override { told.emplace_back(steps, least); }
  std::vector<std::pair<uint64_t, uint64_t>> told{};
};

TEST(SearchWishes, AGapIsKeptAndMoreEffortIsNoLonger) {
  const Problem problem = exchange("random_regular(24,3;5)");
  Listening listening;
  const Compiled best = compile(problem, {.progress = &listening});
  ASSERT_FALSE(listening.told.empty());
  EXPECT_EQ(listening.told.front().second, best.least_steps().value.ceil());
  const auto least = static_cast<double>(best.least_steps().value.ceil());
  const uint64_t all = best.verdict.figures.steps;
  const Compiled wide = compile(problem, {.gap = 0.5});
  EXPECT_LE(static_cast<double>(wide.verdict.figures.steps), 1.5 * least);
  EXPECT_GE(wide.verdict.figures.steps, all);
  EXPECT_GE(compile(problem, {.effort = 0.01}).verdict.figures.steps, all);
  EXPECT_LE(compile(problem, {.effort = 4}).verdict.figures.steps, all);
}

TEST(SearchWishes, AStoppedSearchOfPathsSharesTheWorkOfLinks) {
  const Problem problem = exchange("random_regular(96,4;5)");
  stop_searches();
  const Compiled made = compile(problem, {.algorithm = "alltoall_balanced_paths"});
  let_searches_run();
  EXPECT_TRUE(made.good());
  // The first paths take half as many steps again.
  EXPECT_LE(made.verdict.figures.steps, 1.1 * static_cast<double>(made.least_steps().value.ceil()));
}

TEST(SearchWishes, ASearchThatIsStoppedHasAGoodPlan) {
  stop_searches();
  for (const CollectiveKind kind : kCollectiveKinds) {
    for (const char* const spec : {"random_regular(14,3;5)", "torus(3,4)", "clos(2)"}) {
      const Compiled made = compile(make_problem(parse_topology(spec), kind, {}));
      EXPECT_TRUE(made.good()) << made.head.problem.title();
    }
  }
  let_searches_run();
}

// Total exchange on three nodes, in two steps.
PlanFile strangers(const std::string& remarks,
                   const std::string& first_step = "0>1: 0-1\n1>2: 1-2\n2>0: 2-0\n") {
  return read_plan("quadrille-plan 1\ntopology ring(3)\ncollective alltoall\nmodel send=1 receive=1\n" +
                       remarks + "step\n" + first_step + "step\n0>2: 0-2\n1>0: 1-0\n2>1: 2-1\n",
                   "x.plan");
}

TEST(JudgePlan, AGoodPlanBecomesASchedule) {
  const Compiled judged = judge_plan(strangers("algorithm mine\nclaim steps=2\n"));
  ASSERT_TRUE(judged.schedule);
  EXPECT_TRUE(judged.good());
  EXPECT_TRUE(judged.optimal());
  EXPECT_EQ(judged.head.algorithm, "mine");
  EXPECT_EQ(judged.reason, "");
}

TEST(JudgePlan, AFalseStatementMakesAGoodPlanBad) {
  const Compiled judged = judge_plan(strangers("claim steps=1\n"));
  EXPECT_TRUE(judged.verdict.passed());
  EXPECT_FALSE(judged.good());
  EXPECT_THAT(judged.stated.falsehoods, ElementsAre("steps: the plan states 1, the judge counts 2"));
}

TEST(JudgePlan, ABadPlanHasFindingsAndNoSchedule) {
  const Compiled judged = judge_plan(strangers("", "0>1: 0-1\n1>2: 1-2\n"), {.max_findings = 1});
  EXPECT_FALSE(judged.good());
  EXPECT_FALSE(judged.schedule);
  EXPECT_TRUE(judged.bounds.empty());
  EXPECT_EQ(judged.verdict.findings.size(), 1U);
  EXPECT_FALSE(judged.optimal());
}

TEST(MakeProblem, TheRootIsAskedForByNumberOrLabel) {
  const Topology mesh = parse_topology("mesh(3,3)");
  const auto root = [&](std::string_view text) {
    return *make_problem(mesh, CollectiveKind::kBroadcast, {}, text).collective().root();
  };
  EXPECT_EQ(root("(1,2)"), Rank{5});
  EXPECT_EQ(root("5"), Rank{5});
  EXPECT_EQ(root(""), Rank{0});
  EXPECT_THROW(static_cast<void>(root("(3,3)")), InputError);
  EXPECT_THROW(static_cast<void>(make_problem(mesh, CollectiveKind::kAlltoall, {}, "1")), InputError);
}

TEST(MakeProblem, WhatNobodyCouldFollowIsRefusedWithBothNumbers) {
  try {
    static_cast<void>(
        make_problem(parse_topology("hypercube(13)"), CollectiveKind::kAllreduce, {}, "", 100000));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("to follow them all needs about"));
    EXPECT_THAT(error.what(), HasSubstr("this machine has"));
  }
}

}  // namespace compile_test
}  // namespace quadrille
