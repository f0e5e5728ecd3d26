// Sums that are exchanged with ranks that are no neighbours, past others.
#include "quadrille/algorithms/placed_ranks/routed/forwarded_sums.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace forwarded_sums_test {

constexpr std::string_view kExchanges[] = {"allreduce_recursive_doubling", "allreduce_halving",
                                           "allreduce_windows"};
// Where all ranks have a partner in every round.
constexpr std::string_view kOfPowersOfTwo[] = {
    "allreduce_bine", "allreduce_swing",     "allreduce_swing_latency",          "allreduce_rabenseifner",
    "reduce_bine",    "reduce_scatter_bine", "reduce_scatter_recursive_halving", "reduce_scatter_swing"};

Verdict judged(const Algorithm& card, const Problem& problem) {
  Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) {
    ADD_FAILURE() << card.name << " on " << problem.topology().name() << ": " << ready.fits.reason;
    return {};
  }
  Judge judge(problem);
  ready.plans.front()->generate(judge);
  Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << card.name << " on " << problem.topology().name() << ": "
                                << to_text(verdict.findings.front());
  return verdict;
}

void expect_all_models(std::string_view name, std::string_view spec, uint32_t pieces) {
  const Algorithm& card = *algorithm_catalog().find(name);
  const Topology network = parse_topology(spec);
  for (const uint32_t count :
       network.num_nodes() == 2 ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{0, 1, 2}) {
    for (const bool many : {false, true}) {
      Model model = ports(count);
      if (many) model.packets = Packets::kMany;
      static_cast<void>(judged(card, standard_problem(network, card.collective, model, kNoNode, pieces)));
    }
  }
  Model half = ports(0);
  half.duplex = Duplex::kHalf;
  static_cast<void>(judged(card, standard_problem(network, card.collective, half, kNoNode, pieces)));
}

TEST(ForwardedSums, AreExchangedOnAnyNetwork) {
  for (const std::string_view spec :
       {"ring(2)", "ring(3)", "ring(6)", "ring(7)", "mesh(3,3)", "mesh(2,5)", "random_regular(10,3;1)",
        "star(4)", "clos(4)", "kautz(2,2)", "tree(2,2,2)", "gpu_box(6,3)"})
    for (const std::string_view name : kExchanges)
      for (const uint32_t pieces : {1U, 5U}) expect_all_models(name, spec, pieces);
}

TEST(ForwardedSums, AreExchangedByTextbooksOfPowersOfTwo) {
  for (const std::string_view spec :
       {"ring(8)", "mesh(2,4)", "torus(4,4)", "random_regular(16,3;2)", "gpu_box(8,6)"})
    for (const std::string_view name : kOfPowersOfTwo)
      expect_all_models(name, spec, name.starts_with("reduce_scatter") ? 1 : 3);
}

TEST(ForwardedSums, KeepTheOrderOfRanks) {
  for (const std::string_view spec :
       {"ring(7)", "mesh(3,5)", "torus(4,4)", "random_regular(14,3;1)", "clos(4)"}) {
    for (const std::string_view name :
         {"allreduce_recursive_doubling", "allreduce_halving", "allreduce_rabenseifner", "reduce_binomial",
          "reduce_in_order_binomial"}) {
      for (const bool many : {false, true}) {
        const Algorithm& card = *algorithm_catalog().find(name);
        Model model;
        if (many) model.packets = Packets::kMany;
        model.combining = Operator::kOrdered;
        static_cast<void>(
            judged(card, standard_problem(parse_topology(spec), card.collective, model, kNoNode, 3)));
      }
    }
  }
}

// A hub passes on what all others send each other: more at once than there are slots for.
TEST(ForwardedSums, WaitForSlots) {
  for (const std::string_view spec : {"tree(40)", "gpu_box(50,1)"}) {
    const Algorithm& card = *algorithm_catalog().find("allreduce_recursive_doubling");
    for (const bool many : {false, true}) {
      Model model = ports(0);
      if (many) model.packets = Packets::kMany;
      static_cast<void>(judged(
          card, standard_problem(parse_topology(spec), card.collective, model, kNoNode, many ? 3 : 1)));
    }
  }
}

TEST(ForwardedSums, LeaveNothingOfOthersInSlots) {
  // What is in slots at the end is counted by the judge; here: that it costs a step at most where neighbours can help.
  const Algorithm& card = *algorithm_catalog().find("allreduce_recursive_doubling");
  const Figures ring = judged(card, standard_problem(parse_topology("ring(8)"), card.collective)).figures;
  EXPECT_LE(ring.steps, 1U + 2U + 4U + 1U);
}

TEST(ForwardedSums, RefuseWhatHasTooFewSlots) {
  // 40 sums that a rank would have to keep apart, since it sends its own last.
  RankRounds rounds;
  const BlockId block{0};
  for (uint32_t r = 1; r <= 40; ++r) {
    rounds.send(r, 0, std::span(&block, 1));
    rounds.end_round();
  }
  rounds.send(0, 1, std::span(&block, 1), TransferOp::kCopy);
  rounds.end_round();
  const std::optional<SumRounds> needs = sum_rounds(rounds, 41, 1);
  ASSERT_TRUE(needs);
  EXPECT_EQ(needs->sums_until[0], 40U);
  EXPECT_EQ(needs->waiting, 40U);
  EXPECT_FALSE(ForwardedSums::has_room(*needs));
}

// Exchanges at random: whoever met whom, sums are those of the textbook's rule.
RC_GTEST_PROP(ForwardedSums, AreTheJudgesWhateverRanksAreWhere, ()) {
  const auto nodes = *rc::gen::inRange<uint32_t>(4, 16);
  const uint32_t degree = nodes % 2 == 0 ? 3 : 2;
  const std::string spec = "random_regular(" + std::to_string(nodes) + "," + std::to_string(degree) + ";" +
                           std::to_string(*rc::gen::inRange<uint32_t>(1, 1000)) + ")";
  const Algorithm& card = *algorithm_catalog().find(
      *rc::gen::elementOf(std::vector<std::string_view>(std::begin(kExchanges), std::end(kExchanges))));
  Model model = ports(*rc::gen::inRange<uint32_t>(0, 3));
  if (*rc::gen::arbitrary<bool>()) model.packets = Packets::kMany;
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model, kNoNode,
                                           *rc::gen::inRange<uint32_t>(1, 4));
  Preparation ready = prepare(card, problem);
  RC_PRE(ready.fits.applies);
  Judge judge(problem);
  ready.plans.front()->generate(judge);
  const Verdict verdict = judge.finish();
  RC_ASSERT(verdict.passed());
}

}  // namespace forwarded_sums_test
}  // namespace quadrille
