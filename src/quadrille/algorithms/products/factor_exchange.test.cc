#include "quadrille/algorithms/products/factor_exchange.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/base/work_count.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace factor_exchange_test {

bool is_candidate(const Algorithm* card) {
  return std::ranges::any_of(factor_candidates(),
                             [card](const FactorCandidate& candidate) { return candidate.card == card; });
}

TEST(FactorExchange, NoCardForFactorsIsForgotten) {
  for (const std::string_view spec :
       {"line(5)", "ring(6)", "complete(4)", "hypercube(3)", "torus(3,4)", "mesh(2,3)", "star(4)",
        "circulant(10;1,3)", "generalized_petersen(5,2)", "product(ring(3),line(2))"}) {
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall);
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->collective != CollectiveKind::kAlltoall || !card->applies(problem).applies) continue;
      EXPECT_TRUE(is_candidate(card))
          << card->name << " serves " << spec << ": it belongs into alltoall/factor_candidates.cc";
    }
  }
}

TEST(FactorExchange, TakesTheFewestStepsThatACandidatePredicts) {
  EXPECT_EQ(factor_exchange(parse_topology("ring(5)"), factor_candidates())->num_steps(), 3U);
  EXPECT_EQ(factor_exchange(parse_topology("line(4)"), factor_candidates())->num_steps(), 4U);
  EXPECT_EQ(factor_exchange(parse_topology("generalized_petersen(5,2)"), factor_candidates())->num_steps(),
            5U);
}

// With one port no plan is better than the average total distance: 15 on the Petersen graph, where a greedy
// plan takes more.
TEST(FactorExchange, LooksForThePlanWithAsManyPortsAsTheProductHas) {
  const auto steps = [](std::string_view product, uint32_t count) {
    const Problem problem =
        standard_problem(parse_topology(product), CollectiveKind::kAlltoall, ports(count));
    const Topology& factor = problem.topology().product()->factors.front();
    const Model model = model_of_factor(problem, factor);
    const auto exchange = factor_exchange(factor, factor_candidates(), 1, model);
    const Plan& plan = exchange->plan();
    EXPECT_EQ(plan.num_steps(), exchange->num_steps());
    EXPECT_TRUE(verify(standard_problem(factor, CollectiveKind::kAlltoall, model), plan).verdict.passed());
    return exchange->num_steps();
  };
  EXPECT_EQ(steps("product(generalized_petersen(5,2),line(2))", 1), 15U);
  EXPECT_EQ(steps("product(generalized_petersen(5,2),line(2))", 0), 5U);
  EXPECT_EQ(steps("torus(5,3)", 1), 6U);
  EXPECT_EQ(steps("torus(5,3)", 0), 3U);
  EXPECT_EQ(steps("torus(5,3)", 3), 3U) << "more ports than the ring has links";
  EXPECT_EQ(steps("mesh(1,3)", 1), 0U);
}

TEST(FactorExchange, WithoutCandidatesPacketsGoGreedily) {
  const Topology ring = parse_topology("ring(4)");
  EXPECT_GE(factor_exchange(ring, {})->num_steps(), 2U);
}

// Of a line of 2,048 nodes the plan takes 23 GB; of one of 65,536 its blocks cannot be numbered.
TEST(FactorExchange, OfLargeFactorsTheFiguresAreKnownWithoutAPlan) {
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  for (const uint64_t n : {uint64_t{2048}, uint64_t{65536}, uint64_t{100000}}) {
    const Topology line = parse_topology(fmt::format("line({})", n));
    const Topology ring = parse_topology(fmt::format("ring({})", n));
    EXPECT_EQ(factor_exchange(line, factor_candidates(), 1, one_port)->num_steps(), n * n / 2 - 1);
    EXPECT_EQ(factor_exchange(line, factor_candidates(), 1, one_port)->busiest_link(), n * n / 4);
    EXPECT_EQ(factor_exchange(line, factor_candidates())->num_steps(), n * n / 4);
    EXPECT_EQ(factor_exchange(ring, factor_candidates())->num_steps(), n * n / 8);
    EXPECT_EQ(factor_exchange(ring, factor_candidates(), 1, one_port)->num_steps(), n * n / 4);
  }
  EXPECT_EQ(factor_exchange(parse_topology("mesh(300,500)"), factor_candidates())->num_steps(),
            300U * 500 * 500 / 4);
}

class Transfers final : public StepSink {
 public:
  void push(const StepView& step) override {
    steps += 1;
    transfers += step.size();
  }
  uint64_t steps = 0;
  uint64_t transfers = 0;
};

// From some 33 million transfers on: a line of n nodes has a third of n^3.
TEST(FactorExchange, WhatTakesMuchMemoryIsMadeAgainWheneverItIsReplayed) {
  const uint64_t n = 480;
  const auto exchange = factor_exchange(parse_topology("line(480)"), factor_candidates());
  Transfers seen;
  exchange->replay(seen);
  EXPECT_EQ(seen.steps, exchange->num_steps());
  EXPECT_EQ(seen.transfers, n * (n * n - 1) / 3);
}

// Petersen graphs of more than 128 nodes have no formula, and half a million blocks are followed in a moment.
TEST(FactorExchange, LargeFactorsWithoutAFormulaAreSearched) {
  const Topology net = parse_topology("generalized_petersen(70,2)");
  const auto exchange = factor_exchange(net, factor_candidates());
  EXPECT_TRUE(verify(standard_problem(net, CollectiveKind::kAlltoall), exchange->plan()).verdict.passed());
  EXPECT_EQ(exchange->plan().num_steps(), exchange->num_steps());
}

TEST(FactorExchanges, EqualFactorsShareOne) {
  FactorExchanges exchanges(factor_candidates());
  const auto first = exchanges.of(parse_topology("line(4)"), 1);
  EXPECT_EQ(exchanges.of(parse_topology("mesh(4)"), 1), first);
  EXPECT_NE(exchanges.of(parse_topology("line(4)"), 2), first);
}

TEST(FactorExchanges, WhileSomebodyKeepsThemNoneIsMadeTwice) {
  const Topology net = parse_topology("generalized_petersen(5,2)");
  const auto alone = factor_exchange(net, factor_candidates());
  EXPECT_NE(factor_exchange(net, factor_candidates()), alone) << "nobody keeps it";
  const uint64_t before = work_counted(Work::kSearching);
  {
    const SharedFactorExchanges outer;
    const auto first = factor_exchange(net, factor_candidates());
    const uint64_t made = work_counted(Work::kSearching);
    {
      const SharedFactorExchanges inner;
      EXPECT_EQ(FactorExchanges(factor_candidates()).of(net, 1), first);
    }
    EXPECT_EQ(factor_exchange(net, factor_candidates()), first);
    EXPECT_EQ(work_counted(Work::kSearching), made);
    EXPECT_NE(factor_exchange(net, {}), first) << "others make it";
  }
  EXPECT_GT(work_counted(Work::kSearching), before);
}

}  // namespace factor_exchange_test
}  // namespace quadrille
