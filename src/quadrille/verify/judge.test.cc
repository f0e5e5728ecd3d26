#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/products/cartesian_product.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace judge_test {

using ::testing::ElementsAre;

// One transfer as a test writes it: the nodes of its path and its blocks by number.
struct Line {
  std::vector<uint32_t> nodes;
  std::vector<uint32_t> blocks;
  TransferOp op = TransferOp::kDefault;
};
using Lines = std::vector<std::vector<Line>>;

Plan plan_of(const Problem& problem, const Lines& steps) {
  Plan plan;
  StepBuilder builder;
  for (const auto& step : steps) {
    for (const Line& line : step) {
      std::vector<ArcId> path;
      for (size_t i = 0; i + 1 < line.nodes.size(); ++i) {
        path.push_back(
            problem.topology().find_arc(NodeId{line.nodes[i]}, NodeId{line.nodes[i + 1]}).value_or(kNoArc));
      }
      std::vector<BlockId> blocks;
      for (const uint32_t b : line.blocks) blocks.push_back(BlockId{b});
      builder.add(path, blocks, line.op);
    }
    builder.flush(plan);
  }
  return plan;
}

std::vector<std::string> findings(const Problem& problem, const Lines& steps) {
  const Verification v = verify(problem, plan_of(problem, steps));
  std::vector<std::string> out;
  for (const Finding& f : v.verdict.findings) out.push_back(to_text(f));
  EXPECT_EQ(v.schedule.has_value(), out.empty());
  return out;
}

Topology line(uint32_t n) {
  TopologyBuilder builder("line", n);
  for (uint32_t v = 0; v + 1 < n; ++v) builder.link(NodeId{v}, NodeId{v + 1});
  return builder.build();
}

Topology ring(uint32_t n) {
  TopologyBuilder builder("ring", n);
  builder.cayley(abelian_group({n}), {1, n - 1});
  return builder.build();
}

TEST(Judge, PassesAGoodPlanAndMeasuresIt) {
  const Problem p = standard_problem(line(3), CollectiveKind::kScatter);
  const Verification v = verify(p, plan_of(p, {{{{0, 1}, {2}}}, {{{0, 1}, {1}}, {{1, 2}, {2}}}}));
  ASSERT_TRUE(v.schedule.has_value());
  const Figures& f = v.schedule->figures();
  EXPECT_EQ(f.steps, 2U);
  EXPECT_EQ(f.start_ups, 2U);
  EXPECT_EQ(f.transfers, 3U);
  EXPECT_EQ(f.block_hops, 3U);
  EXPECT_EQ(f.critical_blocks, 2U);
  EXPECT_EQ(f.busiest_link, 2U);
  EXPECT_EQ(f.busiest_arc, *p.topology().find_arc(NodeId{0}, NodeId{1}));
}

TEST(Judge, CountsTheMessagesOfANodeBeyondItsFirstWhereTheyCost) {
  const auto figures = [](double overhead) {
    Model model;
    model.cost.to = overhead;
    const Problem p = standard_problem(line(3), CollectiveKind::kGather, model, NodeId{1});
    // Both ends send to the middle, which ends two messages.
    return verify(p, plan_of(p, {{{{0, 1}, {0}}, {{2, 1}, {2}}}})).schedule->figures();
  };
  EXPECT_EQ(figures(0.5).messages, 2U);
  EXPECT_EQ(figures(0.5).further_messages, 1U);
  EXPECT_EQ(figures(0.0).further_messages, 0U) << "nobody wants to know";
}

// The two ends of a line of three meet in the middle, twice as wide on one side.
Topology wide_line() {
  TopologyBuilder builder("wide line", 3);
  builder.link(NodeId{0}, NodeId{1}, 2);
  builder.link(NodeId{1}, NodeId{2});
  return builder.build();
}

TEST(Judge, AStepOfManyPacketsHasAsManyRoundsAsItsBusiestArc) {
  const Problem p =
      standard_problem(wide_line(), CollectiveKind::kBroadcast, {.packets = Packets::kMany}, kNoNode, 5);
  const Verification v =
      verify(p, plan_of(p, {{{{0, 1}, {0, 1, 2}}, {{0, 1}, {3, 4}}}, {{{1, 2}, {0, 1, 2, 3, 4}}}}));
  ASSERT_TRUE(v.schedule.has_value());
  const Figures& f = v.schedule->figures();
  EXPECT_EQ(f.steps, 2U);
  EXPECT_EQ(f.transfers, 3U);
  EXPECT_EQ(f.critical_blocks, 3U + 5U) << "five blocks on two channels take three rounds";
  EXPECT_EQ(f.critical_hops, 2U);
  EXPECT_EQ(f.messages, 1U) << "both transfers over the first link are one message";
  EXPECT_EQ(f.busiest_link, 5U);
}

TEST(Judge, BlocksOnSharedPathsAddUpOnEveryArc) {
  const Problem p = standard_problem(line(3), CollectiveKind::kAllgather, {.switching = Switching::kShared});
  const Verification v = verify(p, plan_of(p, {{{{0, 1}, {0}},
                                                {{0, 1, 2}, {0}},
                                                {{1, 0}, {1}},
                                                {{1, 2}, {1}},
                                                {{2, 1}, {2}},
                                                {{2, 1, 0}, {2}}}}));
  ASSERT_TRUE(v.schedule.has_value());
  const Figures& f = v.schedule->figures();
  EXPECT_EQ(f.steps, 1U);
  EXPECT_EQ(f.critical_blocks, 2U);
  EXPECT_EQ(f.critical_hops, 2U);
  EXPECT_EQ(f.messages, 2U);
  EXPECT_EQ(f.further_messages, 1U);
}

// Round a ring both ways: what came from the left goes on to the right with what a node has itself, and the
// other way round. In the last step only one way, or twice, where there are as many on the left as on the right.
Plan both_ways_round(const Problem& problem) {
  const Topology& net = problem.topology();
  const uint32_t n = net.num_nodes();
  Plan plan;
  StepBuilder step;
  const BlockId block{0};
  const uint32_t to_right = n / 2;
  const uint32_t to_left = (n - 1) / 2;
  for (uint32_t s = 0; s < to_right; ++s) {
    for (uint32_t v = 0; v < n; ++v) {
      const ArcId right = *net.find_arc(NodeId{v}, NodeId{(v + 1) % n});
      const ArcId left = *net.find_arc(NodeId{v}, NodeId{(v + n - 1) % n});
      // Slot 0 holds what is its own, 1 what came from the left, 2 what came from the right.
      step.add(std::span(&right, 1), std::span(&block, 1), TransferOp::kCopy, {.from = 0b011, .to = 1});
      if (s < to_left)
        step.add(std::span(&left, 1), std::span(&block, 1), TransferOp::kCopy, {.from = 0b101, .to = 2});
    }
    step.flush(plan);
  }
  return plan;
}

TEST(Judge, SumsInSlotsGoRoundARingBothWays) {
  for (const uint32_t n : {2U, 3U, 4U, 5U, 8U, 13U, 64U, 65U, 130U}) {
    const Problem p = standard_problem(n == 2 ? line(2) : ring(n), CollectiveKind::kAllreduce);
    const Verification v = verify(p, both_ways_round(p));
    ASSERT_TRUE(v.schedule.has_value()) << n << ": " << to_text(v.verdict.findings.front());
    EXPECT_EQ(v.verdict.figures.steps, n / 2);
  }
}

TEST(Judge, ALineCombinesItsRanksInOrderAndARingDoesNot) {
  const Model ordered{.combining = Operator::kOrdered};
  const Problem on_line = standard_problem(line(4), CollectiveKind::kReduce, ordered, NodeId{1});
  EXPECT_THAT(findings(on_line, {{{{3, 2}, {0}}}, {{{2, 1}, {0}}, {{0, 1}, {0}}}}), ElementsAre())
      << "both sides come at once";
  const Problem round = standard_problem(ring(4), CollectiveKind::kReduce, ordered, NodeId{1});
  EXPECT_THAT(
      findings(round, {{{{3, 0}, {0}}}, {{{0, 1}, {0}}, {{2, 1}, {0}}}}),
      ElementsAre("step 1, transfer 1: [ranks_in_order] node 0 then has a sum to block 1 over ranks that are "
                  "not consecutive"));
  const Problem slots = standard_problem(ring(5), CollectiveKind::kAllreduce, ordered);
  EXPECT_FALSE(verify(slots, both_ways_round(slots)).schedule.has_value()) << "sums wrap round the ring";
}

TEST(Judge, PiecesComeOverALinkInTheirOrderWhereThatIsAskedFor) {
  const Model streamed{.chunks = Chunks::kInOrder};
  const Problem p = standard_problem(line(3), CollectiveKind::kBroadcast, streamed, NodeId{0}, 3);
  EXPECT_THAT(
      findings(
          p,
          {{{{0, 1}, {0}}}, {{{0, 1}, {1}}, {{1, 2}, {0}}}, {{{0, 1}, {2}}, {{1, 2}, {1}}}, {{{1, 2}, {2}}}}),
      ElementsAre());
  EXPECT_THAT(
      findings(p, {{{{0, 1}, {1}}},
                   {{{0, 1}, {0}}, {{1, 2}, {1}}},
                   {{{0, 1}, {2}}},
                   {{{1, 2}, {2}}},
                   {{{1, 2}, {0}}}}),
      ElementsAre("step 2, transfer 1: [chunks_in_order] block 0 piece 0 comes to node 1 over the link "
                  "from 0 after piece 1",
                  "step 5, transfer 1: [chunks_in_order] block 0 piece 0 comes to node 2 over the link "
                  "from 1 after piece 2"));
}

TEST(Judge, AWindowThatOverlapsByOneRankIsFoundInTheEnd) {
  const Problem p = standard_problem(ring(5), CollectiveKind::kAllreduce);
  Plan plan = both_ways_round(p);
  StepBuilder step;
  const BlockId block{0};
  const ArcId arc = *p.topology().find_arc(NodeId{0}, NodeId{1});
  step.add(std::span(&arc, 1), std::span(&block, 1), TransferOp::kCopy, {.from = 0b011, .to = 1});
  step.flush(plan);
  const Verdict verdict = verify(p, plan).verdict;
  ASSERT_EQ(verdict.total_findings, 1U);
  EXPECT_EQ(to_text(verdict.findings.front()),
            "at the end: [contributions] slots of block piece 0 at node 1 both have the contribution of 3");
}

TEST(Judge, SeveralThreadsKeepTheSameSlots) {
  const Problem p = standard_problem(ring(16), CollectiveKind::kAllreduce, {}, kNoNode, 4000);
  const Problem one = standard_problem(ring(16), CollectiveKind::kAllreduce);
  const Plan small = both_ways_round(one);
  // All pieces take the same way, some steps apart.
  Plan plan;
  StepBuilder step;
  for (size_t s = 0; s < small.num_steps(); ++s) {
    for (uint32_t piece = 0; piece < 4000; ++piece) {
      const StepView view = small.step(s);
      for (size_t t = 0; t < view.size(); ++t) {
        const BlockId block{piece};
        step.add(view.arcs(t), std::span(&block, 1), view.op(t), view.slots_of(t));
      }
    }
    step.flush(plan);
  }
  Model many;
  many.packets = Packets::kMany;
  const Problem wide(p.topology(), p.collective(), many);
  for (const unsigned threads : {1U, 3U}) {
    Judge judge(wide, {.threads = threads});
    plan.replay(judge);
    const Verdict verdict = judge.finish();
    ASSERT_TRUE(verdict.passed()) << threads << " threads: " << to_text(verdict.findings.front());
    EXPECT_EQ(verdict.figures.critical_blocks, 8 * 4000U);
  }
}

TEST(Judge, PortsCountMessagesWherePathsMayBeShared) {
  const Model one{.send = kOnePort, .receive = kOnePort, .switching = Switching::kShared};
  const Problem p = standard_problem(line(3), CollectiveKind::kAllreduce, one, kNoNode, 2);
  // Sums of one block and copies of the other on the same path are one message.
  EXPECT_THAT(findings(p, {{{{2, 1}, {0, 1}}},
                           {{{1, 0}, {0, 1}}},
                           {{{0, 1, 2}, {0, 1}, TransferOp::kCopy}},
                           {{{0, 1}, {0}, TransferOp::kCopy}, {{0, 1}, {1}, TransferOp::kCopy}}}),
              ElementsAre());
  EXPECT_THAT(
      findings(p, {{{{2, 1}, {0, 1}}},
                   {{{1, 0}, {0, 1}}},
                   {{{0, 1, 2}, {0, 1}, TransferOp::kCopy}, {{0, 1}, {0, 1}, TransferOp::kCopy}}}),
      ElementsAre(
          "step 3, transfer 2: [send_ports] node 0 sends 2 messages in this step with this one; it has 1 "
          "send port"));
}

TEST(Judge, WhatArrivesInAStepCannotBeSentOnInIt) {
  const Problem p = standard_problem(line(3), CollectiveKind::kBroadcast);
  EXPECT_THAT(
      findings(p, {{{{0, 1}, {0}}, {{1, 2}, {0}}}}),
      ElementsAre(
          "step 1, transfer 2: [sender_holds] node 1 sends block 0, which it does not have at the start "
          "of the step"));
  const Problem s = standard_problem(line(3), CollectiveKind::kScatter);
  EXPECT_THAT(
      findings(s, {{{{0, 1}, {2}}, {{1, 2}, {2}}}, {{{0, 1}, {1}}}}),
      ElementsAre(
          "step 1, transfer 2: [sender_holds] node 1 sends block 0->2, which is on its way in this step "
          "to 1"));
}

TEST(Judge, ReportsALostBlockOnceAndWhereItIsMissed) {
  const Problem p = standard_problem(line(4), CollectiveKind::kScatter);
  EXPECT_THAT(findings(p, {{{{0, 1}, {3}}}, {{{0, 1}, {2}}}, {{{0, 1}, {1}}, {{1, 2}, {2}}, {{2, 3}, {3}}}}),
              ElementsAre("step 3, transfer 3: [sender_holds] node 2 sends block 0->3, which is at 1"));
  EXPECT_THAT(
      findings(p, {{{{0, 1}, {3}}}, {{{1, 2}, {3}}}, {{{2, 3}, {3}}, {{0, 1}, {2}}}, {{{0, 1}, {1}}}}),
      ElementsAre("at the end: [delivered] block 0->2 is at node 1, not at its destination"));
}

TEST(Judge, ABlockStaysWhereItWasMeantToGo) {
  const Problem p = standard_problem(line(2), CollectiveKind::kScatter);
  EXPECT_THAT(
      findings(p, {{{{0, 1}, {1}}}, {{{1, 0}, {1}}}, {{{0, 1}, {1}}}}),
      ElementsAre("step 2, transfer 1: [delivered_once] block 0->1 leaves node 1, which is its destination"));
  const Problem b = standard_problem(line(3), CollectiveKind::kBroadcast, {}, NodeId{1});
  EXPECT_THAT(findings(b, {{{{1, 0}, {0}}, {{1, 2}, {0}}}, {{{1, 2}, {0}}}}),
              ElementsAre("step 2, transfer 1: [delivered_once] node 2 receives block 1 a second time"));
}

TEST(Judge, CountsPortsAndCapacities) {
  Model one{.send = kOnePort, .receive = kOnePort};
  const Problem p = standard_problem(line(3), CollectiveKind::kBroadcast, one, NodeId{1});
  EXPECT_THAT(
      findings(p, {{{{1, 0}, {0}}, {{1, 2}, {0}}}}),
      ElementsAre(
          "step 1, transfer 2: [send_ports] node 1 sends 2 transfers in this step with this one; it has 1 send "
          "port"));
  const Problem g = standard_problem(line(3), CollectiveKind::kGather, one, NodeId{1});
  EXPECT_THAT(
      findings(g, {{{{0, 1}, {0}}, {{2, 1}, {2}}}}),
      ElementsAre(
          "step 1, transfer 2: [receive_ports] node 1 receives 2 transfers in this step with this one; it has 1 "
          "receive port"));
  const Problem s = standard_problem(line(3), CollectiveKind::kScatter);
  EXPECT_THAT(
      findings(s, {{{{0, 1}, {2}}, {{0, 1}, {1}}}, {{{1, 2}, {2}}}}),
      ElementsAre(
          "step 1, transfer 2: [link_capacity] the link from 0 to 1 carries 2 transfers in this step with this one; its capacity is 1"));
  Model half;
  half.duplex = Duplex::kHalf;
  const Problem a = standard_problem(line(2), CollectiveKind::kAllgather, half);
  EXPECT_THAT(
      findings(a, {{{{0, 1}, {0}}, {{1, 0}, {1}}}}),
      ElementsAre("step 1, transfer 2: [half_duplex] the half-duplex link from 1 to 0 is used in both "
                  "directions"));
}

TEST(Judge, WormsHoldTheirWholePath) {
  Model worm;
  worm.switching = Switching::kWormhole;
  const Problem p = standard_problem(line(3), CollectiveKind::kScatter, worm);
  EXPECT_THAT(
      findings(p, {{{{0, 1, 2}, {2}}, {{0, 1}, {1}}}}),
      ElementsAre(
          "step 1, transfer 2: [worms_disjoint] the link from 0 to 1 is on 2 paths of this step with this one; its capacity is 1"));
  EXPECT_TRUE(findings(p, {{{{0, 1}, {1, 2}}}, {{{1, 2}, {2}}}}).empty())
      << "two blocks in one worm, one goes on";
}

TEST(Judge, AWormThatTakesAnArcTwiceBlocksItselfWhateverTheCapacity) {
  Model worm;
  worm.switching = Switching::kWormhole;
  TopologyBuilder pair("pair", 2);
  pair.link(NodeId{0}, NodeId{1}, 3);
  const Problem p = standard_problem(pair.build(), CollectiveKind::kGather, worm);
  EXPECT_THAT(findings(p, {{{{1, 0, 1, 0}, {1}}}}),
              ElementsAre("step 1, transfer 1: [worms_disjoint] the worm takes the link from 1 to 0 a second "
                          "time, and blocks itself"));
  EXPECT_EQ(findings(p, {{{{1, 0, 1, 0, 1, 0}, {1}}}}).size(), 3U) << "twice more from 1, once more from 0";
  EXPECT_TRUE(findings(p, {{}, {{{1, 0}, {1}}}}).empty()) << "a new step, a new worm";
}

TEST(Judge, AWormHoldsAnArcOnceHoweverOftenItComesBack) {
  // The first worm's second visit is its own mistake; the channels that are left are for two others.
  Model worm;
  worm.switching = Switching::kWormhole;
  TopologyBuilder pair("pair", 2);
  pair.link(NodeId{0}, NodeId{1}, 2);
  const Problem p = standard_problem(pair.build(), CollectiveKind::kGather, worm, kNoNode, 3);
  EXPECT_THAT(
      findings(p, {{{{1, 0, 1, 0}, {3}}, {{1, 0}, {4}}, {{1, 0}, {5}}}}),
      ElementsAre(
          "step 1, transfer 1: [worms_disjoint] the worm takes the link from 1 to 0 a second time, "
          "and blocks itself",
          "step 1, transfer 3: [worms_disjoint] the link from 1 to 0 is on 3 paths of this step with this one; its capacity is 2"));
}

TEST(Judge, WormsObeyTheirRouting) {
  Model worm;
  worm.switching = Switching::kWormhole;
  worm.routing = Routing::kShortest;
  const Problem p = standard_problem(ring(5), CollectiveKind::kBroadcast, worm);
  EXPECT_EQ(findings(p, {{{{0, 4, 3, 2}, {0}}}}).front(),
            "step 1, transfer 1: [worm_routing] the worm from 0 to 2 takes 3 hops; shortest routing takes 2");
  worm.routing = Routing::kDimensionOrder;
  const Problem t =
      standard_problem(cartesian_product("torus", {ring(3), ring(4)}), CollectiveKind::kBroadcast, worm);
  EXPECT_EQ(findings(t, {{{{0, 1, 5}, {0}}}}).front(),
            "step 1, transfer 1: [worm_routing] the worm turns from dimension 2 back to dimension 1; "
            "dimension order goes upwards");
  EXPECT_EQ(findings(t, {{{{0, 3, 2, 1}, {0}}}}).front(),
            "step 1, transfer 1: [worm_routing] the worm takes 3 hops in dimension 2; the short way takes 1");
}

TEST(Judge, AContributionCountsOnce) {
  const Problem p = standard_problem(line(3), CollectiveKind::kReduce);
  EXPECT_TRUE(findings(p, {{{{2, 1}, {0}}}, {{{1, 0}, {0}}}}).empty());
  EXPECT_THAT(
      findings(p, {{{{1, 0}, {0}}, {{2, 1}, {0}}}, {{{1, 0}, {0}}}}),
      ElementsAre("step 2, transfer 1: [contributions] node 0 adds the contribution of 1 to block 0 a second "
                  "time"));
  EXPECT_THAT(findings(p, {{{{1, 0}, {0}}, {{2, 1}, {0}}}}),
              ElementsAre("at the end: [delivered] block 0 at node 0 lacks the contribution of 2"));
}

TEST(Judge, ACopyReplacesAndStandsAlone) {
  const Problem p = standard_problem(line(3), CollectiveKind::kAllreduce);
  EXPECT_TRUE(findings(p, {{{{0, 1}, {0}}, {{2, 1}, {0}}},
                           {{{1, 0}, {0}, TransferOp::kCopy}, {{1, 2}, {0}, TransferOp::kCopy}}})
                  .empty());
  EXPECT_EQ(findings(p, {{{{0, 1}, {0}}, {{2, 1}, {0}, TransferOp::kCopy}}}).front(),
            "step 1, transfer 2: [contributions] node 1 receives a copy of block piece 0 together with "
            "something else for it");
}

TEST(Judge, TellsApartBadFormAndBadPath) {
  const Problem p = standard_problem(line(3), CollectiveKind::kBroadcast, {}, NodeId{1});
  const Lines good = {{{{1, 0}, {0}}, {{1, 2}, {0}}}};
  Lines bad = good;
  bad[0].push_back({{0, 2}, {0}});
  EXPECT_THAT(findings(p, bad),
              ElementsAre("step 1, transfer 3: [path_exists] hop 1 of its path is no link of line"));
  bad = good;
  bad[0].push_back({{1, 2}, {7}});
  EXPECT_THAT(findings(p, bad),
              ElementsAre("step 1, transfer 3: [transfer_form] block 7 does not exist; there are 1"));
  bad = good;
  bad[0].push_back({{0, 1, 2}, {0}});
  EXPECT_THAT(
      findings(p, bad),
      ElementsAre(
          "step 1, transfer 3: [transfer_form] it takes 2 arcs and carries 1 block; in packet switching "
          "it is one and one"));
}

TEST(Judge, KeepsTheFirstFindingsAndCountsTheRest) {
  const Problem p = standard_problem(line(2), CollectiveKind::kScatter, {});
  Judge judge(p, {.max_findings = 3, .threads = 1});
  StepBuilder step;
  for (int i = 0; i < 1000; ++i) {
    step.add(*p.topology().find_arc(NodeId{1}, NodeId{0}), BlockId{0});
    step.flush(judge);
  }
  const Verdict v = judge.finish();
  EXPECT_EQ(v.total_findings, 1001U) << "every move, and the block for node 1 at the end";
  ASSERT_EQ(v.findings.size(), 3U);
  EXPECT_EQ(v.findings[2].step, 2U);
}

TEST(Judge, ManyThreadsFindWhatOneFinds) {
  // Large enough for the batches to be shared, with one mistake in every hundredth step.
  const Problem p =
      standard_problem(cartesian_product("torus", {ring(8), ring(8)}), CollectiveKind::kAlltoall);
  Rng rng(7);
  Plan plan;
  StepBuilder step;
  for (uint32_t s = 0; s < 2000; ++s) {
    for (const ArcId arc : p.topology().arcs()) {
      step.add(arc, BlockId{static_cast<uint32_t>(rng.below(p.collective().num_blocks()))});
    }
    if (s % 100 == 0) step.add(kNoArc, BlockId{0});
    step.flush(plan);
  }
  std::vector<Verdict> verdicts;
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    Judge judge(p, {.max_findings = 500, .threads = threads});
    plan.replay(judge);
    verdicts.push_back(judge.finish());
  }
  for (const Verdict& v : verdicts) {
    EXPECT_EQ(v.findings, verdicts[0].findings);
    EXPECT_EQ(v.total_findings, verdicts[0].total_findings);
    EXPECT_EQ(v.figures, verdicts[0].figures);
  }
}

TEST(Judge, AsksOnTheStepsOnlyTheRulesThatTheModelAsksFor) {
  const auto asked = [](const Model& model) {
    const Problem p =
        standard_problem(cartesian_product("torus", {ring(3), ring(3)}), CollectiveKind::kBroadcast, model);
    std::vector<std::string_view> names;
    for (const RuleCard* rule : rule_catalog()) {
      if (rule->in_a_step != nullptr && rule->in_a_step(p) != nullptr) names.push_back(rule->name);
      if (rule->wants_queues != nullptr && rule->wants_queues(p)) names.push_back(rule->name);
    }
    return names;
  };
  EXPECT_THAT(asked({}), ElementsAre("link_capacity"));
  EXPECT_THAT(asked({.send = kOnePort, .switching = Switching::kWormhole}),
              ElementsAre("send_ports", "worms_disjoint"));
  EXPECT_THAT(asked({.switching = Switching::kWormhole, .routing = Routing::kDimensionOrder}),
              ElementsAre("worm_routing", "worms_disjoint"));
  EXPECT_THAT(asked({.receive = kOnePort, .duplex = Duplex::kHalf, .queue_limit = 0}),
              ElementsAre("half_duplex", "link_capacity", "queue_limit", "receive_ports"));
}

TEST(Judge, EveryRuleHasACard) {
  for (const RuleCard* rule : rule_catalog()) {
    EXPECT_EQ(rule_catalog().find(rule->name), rule);
    EXPECT_FALSE(rule->summary.empty());
    EXPECT_FALSE(rule->details.empty());
    EXPECT_EQ(rule->wants_queues == nullptr, rule->on_queues == nullptr) << rule->name;
  }
  EXPECT_EQ(rule_catalog().find("no_such_rule"), nullptr);
}

}  // namespace judge_test
}  // namespace quadrille
