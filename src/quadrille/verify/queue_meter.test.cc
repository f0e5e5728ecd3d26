#include "quadrille/verify/queue_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace queue_meter_test {

// Hops as (tail, head, block), step by step, over the links of a topology.
struct Hop {
  uint32_t tail;
  uint32_t head;
  uint32_t block;
};
Plan plan_of(const Topology& net, const std::vector<std::vector<Hop>>& steps) {
  Plan plan;
  StepBuilder step;
  for (const auto& hops : steps) {
    for (const Hop& hop : hops)
      step.add(*net.find_arc(NodeId{hop.tail}, NodeId{hop.head}), BlockId{hop.block});
    step.flush(plan);
  }
  return plan;
}

Problem on_a_switch(CollectiveKind kind, std::optional<uint32_t> limit = {}) {
  Model model;
  model.queue_limit = limit;
  return standard_problem(parse_topology("fat_tree(3)"), kind, model, NodeId{1});
}

QueueFigures queues_of(const Problem& problem, Plan plan) {
  const Verification v = verify(problem, std::move(plan));
  EXPECT_TRUE(v.verdict.passed());
  return measure_queues(v.schedule.value());
}

// Both blocks reach the switch in step 1; the first goes on in step 2, the second in step 4.
const std::vector<std::vector<Hop>> kOneWaits = {{{0, 3, 0}, {2, 3, 2}}, {{3, 1, 0}}, {}, {{3, 1, 2}}};

TEST(Queues, CountWhatIsLeftAfterTheSendsOfAStep) {
  const Problem problem = on_a_switch(CollectiveKind::kGather);
  const QueueFigures queues = queues_of(problem, plan_of(problem.topology(), kOneWaits));
  EXPECT_EQ(queues.link, 1U);
  EXPECT_EQ(queues.arc, *problem.topology().find_arc(NodeId{3}, NodeId{1}));
  EXPECT_EQ(queues.link_step, 1U);
  EXPECT_EQ(queues.node, 1U);
  EXPECT_EQ(queues.at, NodeId{3});
  EXPECT_EQ(queues.node_step, 1U);
}

TEST(Queues, AreEmptyWhereEveryArrivalIsSentOnInTheNextStep) {
  const Problem problem = on_a_switch(CollectiveKind::kGather);
  const Plan plan = plan_of(problem.topology(), {{{0, 3, 0}}, {{3, 1, 0}, {2, 3, 2}}, {{3, 1, 2}}});
  EXPECT_EQ(queues_of(problem, plan), QueueFigures{});
}

TEST(Queues, HoldACopyForEveryLinkButOnceAtTheNode) {
  const Problem problem = on_a_switch(CollectiveKind::kAllgather);
  // The router has all three blocks after step 1, and spends steps 3 to 4 on its six copies.
  const Plan plan = plan_of(problem.topology(), {{{0, 3, 0}, {1, 3, 1}, {2, 3, 2}},
                                                 {},
                                                 {{3, 0, 1}, {3, 1, 2}, {3, 2, 0}},
                                                 {{3, 0, 2}, {3, 1, 0}, {3, 2, 1}}});
  const QueueFigures queues = queues_of(problem, plan);
  EXPECT_EQ(queues.link, 2U);
  EXPECT_EQ(queues.link_step, 1U);
  EXPECT_EQ(queues.node, 3U);
  EXPECT_EQ(queues.node_step, 1U);
}

TEST(Queues, DoNotHoldCopiesThatEndpointsKeep) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kBroadcast);
  EXPECT_EQ(queues_of(problem, plan_of(problem.topology(), {{{0, 1, 0}}, {}, {}, {{1, 2, 0}}})),
            QueueFigures{});
}

TEST(Queues, AreMeasuredByTheJudgeIfAskedFor) {
  const Problem problem = on_a_switch(CollectiveKind::kGather);
  const Plan plan = plan_of(problem.topology(), kOneWaits);
  for (const bool asked : {false, true}) {
    Judge judge(problem, {.queues = asked});
    plan.replay(judge);
    const Verdict verdict = judge.finish();
    EXPECT_EQ(verdict.queues.has_value(), asked);
    if (asked) {
      EXPECT_EQ(verdict.queues->link, 1U);
    }
  }
}

TEST(QueueLimit, IsBrokenInTheFirstStepOfEachTimeInWhichTooManyWait) {
  const Problem problem = on_a_switch(CollectiveKind::kGather, 0);
  const Verification v = verify(problem, plan_of(problem.topology(), kOneWaits));
  ASSERT_EQ(v.verdict.findings.size(), 1U);
  EXPECT_EQ(
      to_text(v.verdict.findings[0]),
      "step 2: [queue_limit] 1 block waits for the link from 0@1 to 1 at the end of this step; none may");
  EXPECT_TRUE(verify(on_a_switch(CollectiveKind::kGather, 1), plan_of(problem.topology(), kOneWaits))
                  .verdict.passed());
}

TEST(QueueLimit, MayCountByTheLinkOnWhichBlocksCame) {
  // The switch gets one block from each of three nodes, and keeps each for a while; two wait for node 1.
  Model model{.queue_limit = 1, .queues_per = QueuesPer::kIncoming};
  const Topology net = parse_topology("fat_tree(3)");
  const Problem problem = standard_problem(net, CollectiveKind::kGather, model, NodeId{1});
  const Plan plan = plan_of(net, {{{0, 3, 0}, {2, 3, 2}}, {}, {{3, 1, 0}}, {{3, 1, 2}}});
  EXPECT_TRUE(verify(problem, plan).verdict.passed());
  model.queues_per = QueuesPer::kOutgoing;
  EXPECT_FALSE(
      verify(standard_problem(net, CollectiveKind::kGather, model, NodeId{1}), plan).verdict.passed());

  model = {.queue_limit = 0, .queues_per = QueuesPer::kIncoming};
  const Verification v = verify(standard_problem(net, CollectiveKind::kGather, model, NodeId{1}), plan);
  ASSERT_EQ(v.verdict.findings.size(), 2U);
  EXPECT_EQ(
      to_text(v.verdict.findings[0]),
      "step 2: [queue_limit] 1 block that came on the link from 0 to 0@1 waits at the end of this step; "
      "none may");
}

TEST(Queues, OnAnIncomingLinkACopyCountsOnceUntilItHasGoneOverTheLast) {
  const Problem problem = on_a_switch(CollectiveKind::kAllgather);
  const Plan plan = plan_of(problem.topology(), {{{0, 3, 0}, {1, 3, 1}, {2, 3, 2}},
                                                 {},
                                                 {{3, 0, 1}, {3, 1, 2}, {3, 2, 0}},
                                                 {{3, 0, 2}, {3, 1, 0}, {3, 2, 1}}});
  const QueueFigures queues = queues_of(problem, plan);
  EXPECT_EQ(queues.incoming, 1U);
  EXPECT_EQ(queues.incoming_arc, *problem.topology().find_arc(NodeId{0}, NodeId{3}));
  EXPECT_EQ(queues.incoming_step, 1U);
  EXPECT_EQ(queues.link, 2U);
}

TEST(QueueLimit, IsRefusedForReductions) {
  try {
    on_a_switch(CollectiveKind::kReduce, 0);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("queues cannot be limited in reduce"));
  }
}

TEST(QueueLimit, IsJudgedAlikeByBothJudges) {
  int broken = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const CollectiveKind kind = kCollectiveKinds[seed % 5];
    const Topology net = testing::random_topology(rng, 3 + static_cast<uint32_t>(rng.below(5)), true);
    Model model;
    model.switching = rng.below(4) == 0 ? Switching::kWormhole : Switching::kPacket;
    const Plan plan = testing::random_plan(standard_problem(net, kind, model), rng);
    for (uint32_t limit = 0; limit < 6; ++limit) {
      model.queue_limit = limit / 2;
      model.queues_per = limit % 2 == 0 ? QueuesPer::kOutgoing : QueuesPer::kIncoming;
      const Problem limited = standard_problem(net, kind, model);
      const Verdict slow = reference_verify(limited, plan);
      Judge judge(limited, {.max_findings = 1000, .queues = true});
      plan.replay(judge);
      const Verdict fast = judge.finish();
      EXPECT_EQ(fast.passed(), (limit % 2 == 0 ? fast.queues->link : fast.queues->incoming) <= limit / 2);
      ASSERT_EQ(fast.findings.size(), slow.findings.size()) << limited.title() << " seed " << seed;
      for (size_t i = 0; i < slow.findings.size(); ++i) {
        EXPECT_EQ(fast.findings[i].rule, slow.findings[i].rule);
        EXPECT_EQ(fast.findings[i].step, slow.findings[i].step);
      }
      broken += fast.passed() ? 0 : 1;
    }
  }
  EXPECT_GT(broken, 10) << "too few plans break their limit for this test to mean anything";
}

// The longest of many queues, each given step by step; of equals the first, at its first step.
template <typename Id>
void take_longest(const std::map<Id, std::map<uint64_t, std::set<std::pair<BlockId, uint64_t>>>>& queues,
                  uint64_t& longest, Id& where, uint64_t& when) {
  for (const auto& [id, steps] : queues) {
    for (const auto& [step, waiting] : steps) {
      if (waiting.size() <= longest) continue;
      longest = waiting.size();
      where = id;
      when = step;
    }
  }
}

// The header's words, for a good plan: who arrived in step r and is sent on in step s waits at the end of the
// steps between.
QueueFigures counted(const Problem& problem, const Plan& plan) {
  const Topology& net = problem.topology();
  const bool moves = problem.collective().flow() == Flow::kMove;
  struct Arrival {
    uint64_t step = 0;
    ArcId over = kNoArc;
  };
  std::map<std::pair<BlockId, NodeId>, Arrival> arrived;
  std::map<ArcId, std::map<uint64_t, std::set<std::pair<BlockId, uint64_t>>>> on_link;
  std::map<ArcId, std::map<uint64_t, std::set<std::pair<BlockId, uint64_t>>>> for_link;
  std::map<NodeId, std::map<uint64_t, std::set<std::pair<BlockId, uint64_t>>>> at_node;
  for (uint64_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    const auto before = arrived;
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = net.tail(step.arcs(t).front());
      const NodeId to = net.head(step.arcs(t).back());
      for (const BlockId block : step.blocks(t)) {
        const auto came = before.find({block, from});
        for (uint64_t w = came == before.end() ? s : came->second.step + 1; w < s; ++w) {
          for_link[step.arcs(t).front()][w].emplace(block, came->second.step);
          on_link[came->second.over][w].emplace(block, came->second.step);
          at_node[from][w].emplace(block, came->second.step);
        }
        const bool stays = moves ? to == problem.destination(block) : net.rank(to).has_value();
        if (!stays) arrived[{block, to}] = {s, step.arcs(t).back()};
      }
    }
  }
  QueueFigures out;
  take_longest(for_link, out.link, out.arc, out.link_step);
  take_longest(on_link, out.incoming, out.incoming_arc, out.incoming_step);
  take_longest(at_node, out.node, out.at, out.node_step);
  return out;
}

TEST(Queues, AreWhatCountingThemStepByStepGives) {
  std::set<NodeId> busiest;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const CollectiveKind kind = kCollectiveKinds[seed % 5];
    const Topology net =
        testing::random_topology(rng, 3 + static_cast<uint32_t>(rng.below(5)), seed % 2 == 0);
    Model model;
    model.switching = rng.below(4) == 0 ? Switching::kWormhole : Switching::kPacket;
    const Problem problem = standard_problem(net, kind, model);
    const Plan plan = testing::random_plan(problem, rng);
    const QueueFigures queues = queues_of(problem, plan);
    EXPECT_EQ(queues, counted(problem, plan)) << problem.title() << " seed " << seed;
    busiest.insert(queues.at);
  }
  EXPECT_GT(busiest.size(), 4U);
}

}  // namespace queue_meter_test
}  // namespace quadrille
