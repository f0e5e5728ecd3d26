// What is said of rounds before they are made is what they take.
#include "quadrille/algorithms/placed_ranks/known_rounds.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace known_rounds_test {

void expect_what_is_said(std::string_view name, const Problem& problem) {
  const Algorithm& card = *algorithm_catalog().find(name);
  if (!card.applies(problem).applies) return;
  const Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) return;
  for (const PreparedPlan& plan : ready.plans) {
    const Prediction said = plan->prediction();
    Judge judge(problem);
    plan->generate(judge);
    const Verdict verdict = judge.finish();
    const std::string what = std::string(name) + ":" + std::string(plan->member()) + " " + problem.title() +
                             ", " + std::to_string(problem.collective().pieces()) + " pieces, " +
                             std::to_string(static_cast<int>(problem.model().switching)) + ", ports " +
                             std::to_string(problem.model().send.count);
    EXPECT_TRUE(verdict.passed()) << what << ": " << to_text(verdict.findings.front());
    EXPECT_EQ(said.steps, verdict.figures.steps) << what;
    EXPECT_EQ(said.start_ups, verdict.figures.start_ups) << what;
    EXPECT_EQ(said.critical_blocks, verdict.figures.critical_blocks) << what;
    if (problem.model().cost.to > 0 && problem.model().switching == Switching::kShared) {
      EXPECT_EQ(said.further_messages, verdict.figures.further_messages) << what;
    }
  }
}

TEST(KnownRounds, AreThoseThatAreMade) {
  for (const std::string_view name :
       {"allgather_bruck",         "allgather_bucket",       "allgather_linear",
        "allgather_trivance",      "allgather_two_way_ring", "allgather_pat",
        "allreduce_pat",           "reduce_scatter_pat",     "allreduce_bruck",
        "allreduce_bucket",        "allreduce_double_tree",  "broadcast_double_tree",
        "reduce_double_tree",      "allreduce_ring",         "allreduce_trivance",
        "reduce_scatter_trivance", "allreduce_two_way_ring", "broadcast_circulant",
        "broadcast_van_de_geijn",  "reduce_circulant",       "reduce_scatter_bruck",
        "reduce_scatter_bucket",   "reduce_scatter_ring",    "reduce_scatter_two_way_ring"}) {
    const CollectiveKind kind = algorithm_catalog().find(name)->collective;
    for (const uint32_t p : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 9U, 12U, 16U}) {
      const Topology net = parse_topology("complete(" + std::to_string(p) + ")");
      for (const uint32_t count : {0U, 1U, 2U, 3U, 8U}) {
        if (count >= p) continue;
        for (const Switching switching : {Switching::kPacket, Switching::kWormhole, Switching::kShared}) {
          for (const uint32_t pieces : {1U, 2U, 3U, p, p + 1, 2 * p, 2 * p + 3}) {
            Model model = ports(count);
            model.switching = switching;
            model.cost.to = (pieces + p) % 2;
            expect_what_is_said(name, standard_problem(net, kind, model, kNoNode, pieces));
          }
        }
      }
    }
  }
}

// Beyond some hundred neighbours rounds are made when they are wanted; those for which there are no ports are refused all the same, and
// what is not refused can be made.
TEST(KnownRounds, OfManyNeighboursNeedTheirPorts) {
  const Topology net = parse_topology("complete(260)");
  for (const uint32_t count : {0U, 1U, 2U}) {
    for (const double to : {0.0, 1.0}) {
      for (const Algorithm* card : algorithm_catalog()) {
        const bool is_of_rounds = card->name == "allgather_swing" || card->name.ends_with("_bruck") ||
                                  card->name.ends_with("_trivance") || card->name.ends_with("_binomial") ||
                                  card->name.ends_with("_knomial") || card->name.ends_with("_bine") ||
                                  card->name.ends_with("_two_way_ring") ||
                                  card->name.ends_with("_double_tree") || card->name.ends_with("_pat") ||
                                  card->name.ends_with("_bucket");
        if (!is_of_rounds || card->collective == CollectiveKind::kAlltoall) continue;
        Model model = ports(count);
        model.cost.to = to;
        const Problem problem = standard_problem(net, card->collective, model, kNoNode, 1);
        if (!card->applies(problem).applies) continue;
        const Preparation ready = prepare(*card, problem);
        const bool goes_both_ways =
            card->name.ends_with("_trivance") || card->name.ends_with("_two_way_ring");
        EXPECT_EQ(ready.fits.applies, count != 1 || !goes_both_ways) << card->name << ", ports " << count;
        if (!ready.fits.applies) continue;
        for (const PreparedPlan& plan : ready.plans) {
          CountingSink made;
          plan->generate(made);
          EXPECT_EQ(plan->prediction().steps, made.steps()) << card->name << ", ports " << count;
        }
      }
    }
  }
}

}  // namespace known_rounds_test
}  // namespace quadrille
