#include "quadrille/transforms/merge_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille::merge_steps_test {
namespace {

// Every plan of single packets that a card has, with the machine that carries many.
template <typename Use>
void for_each_plan(const char* spec, CollectiveKind kind, Model model, uint32_t pieces, Use use) {
  const Topology topology = parse_topology(spec);
  const Problem single = standard_problem(topology, kind, model, topology.endpoints().back(), pieces);
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != kind) continue;
    const Preparation ready = prepare(*card, single);
    if (!ready.fits.applies) continue;
    for (const PreparedPlan& prepared : ready.plans) {
      SCOPED_TRACE(::testing::Message() << card->name << ":" << prepared->member() << " " << single.title());
      Plan plan;
      prepared->generate(plan);
      use(single, plan);
    }
  }
}

Problem with_machine(const Problem& single, Switching switching) {
  Model model = single.model();
  model.switching = switching;
  if (switching == Switching::kPacket) model.packets = Packets::kMany;
  return {single.topology(), single.collective(), model};
}

uint64_t most_over_a_link(const Topology& topology, const StepView& step) {
  uint64_t most = 0;
  std::vector<uint64_t> load(topology.num_arcs(), 0);
  for (size_t t = 0; t < step.size(); ++t) {
    const ArcId arc = step.arcs(t).front();
    load[index(arc)] += step.blocks(t).size();
    most = std::max(most, (load[index(arc)] + topology.capacity(arc) - 1) / topology.capacity(arc));
  }
  return most;
}

TEST(MergeSteps, WhatTheJudgePassesItPassesMergedInNoMoreStepsAndMessagesAsLargeAsSaid) {
  for (const char* spec : {"line(2)", "ring(5)", "mesh(2,3)", "fat_tree(2^2)", "star(3)", "fat_tree(4;3)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Ports ports : {kOnePort, kAllPorts}) {
        for_each_plan(
            spec, kind, {.send = ports, .receive = ports}, 2, [](const Problem& single, const Plan& plan) {
              for (const Switching switching :
                   {Switching::kPacket, Switching::kWormhole, Switching::kShared}) {
                const Problem many = with_machine(single, switching);
                for (const uint32_t packets : {1U, 2U, 0U}) {
                  const Plan merged = merge_steps(many, plan, packets);
                  const Verification judged = verify(many, merged);
                  EXPECT_TRUE(judged.verdict.passed()) << to_text(judged.verdict.findings.front()) << packets;
                  EXPECT_LE(merged.num_steps(), plan.num_steps());
                  for (size_t s = 0; s < merged.num_steps() && packets != 0; ++s)
                    EXPECT_LE(most_over_a_link(single.topology(), merged.step(s)), packets);
                }
              }
            });
      }
    }
  }
}

// A worm of many blocks keeps one lane of a link, so that as many go side by side as there are lanes.
TEST(MergeSteps, WormsTakeAsManyRoundsAsPacketsOverLinksOfSeveralLanes) {
  const Topology box = parse_topology("fat_tree(8;12)");
  Plan plan;
  const Problem single = standard_problem(box, CollectiveKind::kAllgather, {}, box.endpoint(Rank{0}), 24);
  prepare(*algorithm_catalog().find("allgather_flooding"), single).plans.front()->generate(plan);
  for (const uint32_t most : {2U, 8U}) {
    std::vector<uint64_t> rounds;
    for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
      const Problem many = with_machine(single, switching);
      const Verification judged = verify(many, merge_steps(many, plan, most));
      ASSERT_TRUE(judged.verdict.passed()) << to_text(judged.verdict.findings.front());
      rounds.push_back(judged.verdict.figures.critical_blocks);
    }
    EXPECT_EQ(rounds[0], rounds[1]) << most;
  }
}

TEST(MergeSteps, AnExchangeOnAStarTakesAsManyStartUpsAsThereAreLinksToGo) {
  const Topology star = parse_topology("tree(2,2)");
  Plan plan;
  const Problem single = standard_problem(star, CollectiveKind::kAlltoall);
  prepare(*algorithm_catalog().find("alltoall_balanced_paths"), single).plans.front()->generate(plan);
  EXPECT_GT(plan.num_steps(), 4U);
  EXPECT_EQ(merge_steps(with_machine(single, Switching::kPacket), plan, 0).num_steps(), 4U);
}

}  // namespace
}  // namespace quadrille::merge_steps_test
