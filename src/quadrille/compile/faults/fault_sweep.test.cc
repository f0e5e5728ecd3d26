#include "quadrille/compile/faults/fault_sweep.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace fault_sweep_test {
namespace {

Problem on(const std::string& spec, CollectiveKind kind) { return make_problem(parse_topology(spec), kind); }

uint64_t cases(const FaultSweep& sweep) {
  uint64_t out = 0;
  for (const FaultTrial& trial : sweep.trials) out += trial.alike();
  return out;
}

TEST(FaultSweep, TriesEveryLinkAndOfSymmetricOnesOne) {
  const FaultSweep torus = sweep_faults(on("torus(3,4)", CollectiveKind::kAllgather), {});
  EXPECT_EQ(torus.trials.size(), 2U);
  EXPECT_EQ(cases(torus), 24U);
  std::set<std::string> named;
  for (const FaultTrial& trial : torus.trials) {
    named.insert(trial.faults.begin(), trial.faults.end());
    named.insert(trial.like.begin(), trial.like.end());
  }
  EXPECT_EQ(named.size(), 24U) << "each by its name";
  // Of what is no Cayley graph, or has a root, symmetries are searched for.
  const FaultSweep mesh = sweep_faults(on("mesh(2,3)", CollectiveKind::kAllgather), {});
  EXPECT_EQ(mesh.trials.size(), 3U) << "lengthwise, across at an end, across in the middle";
  EXPECT_EQ(cases(mesh), 7U);
  const FaultSweep rooted = sweep_faults(on("ring(5)", CollectiveKind::kBroadcast), {});
  EXPECT_EQ(rooted.trials.size(), 3U) << "at the root, next to these, opposite";
  EXPECT_EQ(cases(rooted), 5U);
  const FaultSweep listed = sweep_faults(
      on("edges(\"a b, b c, c d, d a, a e, b f, c g, d h, e f, f g, g h, h e\")", CollectiveKind::kAlltoall),
      {});
  EXPECT_EQ(listed.trials.size(), 1U) << "a cube";
  EXPECT_EQ(cases(listed), 12U);
  Model ordered;
  ordered.combining = Operator::kOrdered;
  EXPECT_EQ(sweep_faults(standard_problem(parse_topology("mesh(2,3)"), CollectiveKind::kReduce, ordered), {})
                .trials.size(),
            7U)
      << "where the order of ranks counts, they may not change places";
  const FaultSweep halves = sweep_faults(on("hypercube(3)", CollectiveKind::kAllgather), {});
  EXPECT_EQ(cases(halves), 12U);
}

TEST(FaultSweep, ClassesOfLinksCostWhatEachOfThemCosts) {
  const Problem problem = on("torus(3,4)", CollectiveKind::kAlltoall);
  std::multiset<uint64_t> bounds;
  for (const FaultTrial& trial : sweep_faults(problem, {}).trials)
    for (uint64_t i = 0; i < trial.alike(); ++i) bounds.insert(trial.bound);
  std::multiset<uint64_t> drawn;
  for (const FaultTrial& trial : sweep_faults(problem, {.draws = 1000}).trials) drawn.insert(trial.bound);
  EXPECT_EQ(bounds, drawn);
}

TEST(FaultSweep, SortsByLossAndHoldsEveryPlanAgainstABound) {
  const FaultSweep sweep = sweep_faults(on("mesh(3,3)", CollectiveKind::kAlltoall), {.threads = 2});
  EXPECT_GE(sweep.healthy.steps, sweep.healthy.bound);
  for (size_t i = 0; i < sweep.trials.size(); ++i) {
    EXPECT_GE(sweep.trials[i].steps, sweep.trials[i].bound);
    EXPECT_EQ(sweep.trials[i].ranks, 9U);
    if (i > 0) {
      EXPECT_LE(sweep.trials[i].steps, sweep.trials[i - 1].steps);
    }
  }
}

TEST(FaultSweep, WhatCutsNodesOffComesLast) {
  const FaultSweep sweep = sweep_faults(on("edges(\"0 1, 1 2, 2 0, 2 3\")", CollectiveKind::kAllgather), {});
  ASSERT_EQ(sweep.trials.size(), 3U) << "two links are alike";
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(sweep.trials[i].cut_off.empty());
  EXPECT_EQ(sweep.trials[2].ranks, 3U);
}

TEST(FaultSweep, WhoeverLosesPatienceKeepsWhatIsFinished) {
  const Problem problem = on("mesh(2,3)", CollectiveKind::kAllgather);
  FaultQuestion question{.draws = 7};
  question.done = [](size_t done, size_t) {
    if (done == 3) stop_searches();
  };
  const FaultSweep sweep = sweep_faults(problem, question);
  let_searches_run();
  EXPECT_EQ(sweep.trials.size(), 3U);
  EXPECT_EQ(sweep.unfinished, 4U);
}

TEST(FaultSweep, FaultsOfAFaultyNetworkAreNamedAsOnTheWholeOne) {
  const FaultSweep sweep = sweep_faults(on("without(ring(5);\"link 0 1\")", CollectiveKind::kBroadcast),
                                        {.what = FaultWhat::kNodes});
  EXPECT_EQ(sweep.trials.size(), 3U);  // one cuts the root off
  const FaultSweep links = sweep_faults(on("without(torus(3,3);\"node 0\")", CollectiveKind::kAlltoall), {});
  for (const FaultTrial& trial : links.trials) EXPECT_GE(trial.steps, trial.bound);
}

TEST(FaultSweep, GoesOnAmongThoseThatAreLeft) {
  const FaultSweep hosts = sweep_faults(on("fat_tree(2^2)", CollectiveKind::kAllgather), {});
  uint64_t cut = 0;
  for (const FaultTrial& trial : hosts.trials) {
    cut += trial.cut_off.size() == 1 ? trial.alike() : 0;
    EXPECT_EQ(trial.ranks, trial.cut_off.size() == 1 ? 3U : 2U);
  }
  EXPECT_EQ(cut, 4U);
  // A root stays; a trial in which it is gone is none.
  const FaultSweep nodes =
      sweep_faults(on("line(3)", CollectiveKind::kBroadcast), {.what = FaultWhat::kNodes});
  for (const FaultTrial& trial : nodes.trials) EXPECT_NE(trial.faults[0], "node 0");
}

TEST(FaultSweep, DrawsTheSameForTheSameSeed) {
  const Problem problem = on("mesh(3,3)", CollectiveKind::kAllgather);
  const FaultQuestion question{.draws = 4, .at_once = 2, .seed = 7};
  const FaultSweep one = sweep_faults(problem, question);
  const FaultSweep two = sweep_faults(problem, question);
  ASSERT_EQ(one.trials.size(), two.trials.size());
  for (size_t i = 0; i < one.trials.size(); ++i) EXPECT_EQ(one.trials[i].faults, two.trials[i].faults);
  EXPECT_EQ(one.trials[0].faults.size(), 2U);
}

TEST(FaultSweep, RefusesWhatCannotFail) {
  EXPECT_THROW(static_cast<void>(sweep_faults(on("line(1)", CollectiveKind::kAllgather), {})), InputError);
  EXPECT_THROW(
      static_cast<void>(sweep_faults(on("line(3)", CollectiveKind::kAllgather), {.draws = 1, .at_once = 3})),
      InputError);
}

}  // namespace
}  // namespace fault_sweep_test
}  // namespace quadrille
