#include "quadrille/draw/schedule_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace schedule_pictures_test {

ArcId arc_between(const Topology& net, uint32_t from, uint32_t to) {
  return *net.find_arc(NodeId{from}, NodeId{to});
}

// On a line of three: what is between neighbours in one step, then what goes from end to end, in two.
Plan exchange_on_a_line(const Problem& problem, bool spoilt = false) {
  const Topology& net = problem.topology();
  const Collective& all = problem.collective();
  const auto block = [&](uint32_t from, uint32_t to) { return all.block(Rank{from}, Rank{to}); };
  Plan plan;
  StepBuilder step;
  step.add(arc_between(net, 0, 1), block(0, 2));
  step.add(arc_between(net, 2, 1), block(2, 0));
  step.add(arc_between(net, 1, 0), block(1, 0));
  step.add(arc_between(net, 1, 2), block(1, 2));
  step.flush(plan);
  step.add(arc_between(net, 1, 2), block(0, 2));
  step.add(arc_between(net, 1, 0), block(2, 0));
  step.add(arc_between(net, 0, 1), spoilt ? block(2, 1) : block(0, 1));
  step.add(arc_between(net, 2, 1), block(2, 1));
  step.flush(plan);
  return plan;
}

TEST(StepRecord, HopsAreThoseOfTheBlockAndColoursMeanTheSameAllThrough) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kAlltoall);
  ASSERT_TRUE(verify(problem, exchange_on_a_line(problem)).schedule.has_value());
  StepRecord record(problem);
  exchange_on_a_line(problem).replay(record);
  ASSERT_EQ(record.steps(), 2U);
  ASSERT_EQ(record.step(0).size(), 4U);
  for (const DrawnUse& use : record.step(0)) EXPECT_EQ(use.hop, 1U);
  std::vector<uint32_t> hops;
  for (const DrawnUse& use : record.step(1)) hops.push_back(use.hop);
  EXPECT_EQ(hops, (std::vector<uint32_t>{1, 2, 2, 1}));  // arcs 0>1, 1>0, 1>2, 2>1
  EXPECT_EQ(record.loads(), (std::vector<uint64_t>{2, 2, 2, 2}));
  EXPECT_EQ(record.scale().name, "hop of the block");
  EXPECT_EQ(record.scale().largest, 2);
  // Hops are counted from the beginning, whichever steps are kept.
  StepRecord second(problem, 1, 2);
  exchange_on_a_line(problem).replay(second);
  EXPECT_EQ(second.step(1)[1].hop, 2U);
  EXPECT_EQ(second.last(), 2U);
}

TEST(StepRecord, WhereLinksCarryMoreTheirNumberIsShown) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kScatter,
                                           {.switching = Switching::kWormhole});
  StepRecord record(problem);
  StepBuilder step;
  const std::vector<ArcId> path{arc_between(problem.topology(), 0, 1)};
  const std::vector<BlockId> blocks{BlockId{1}, BlockId{2}};
  step.add(path, blocks);
  step.flush(record);
  EXPECT_EQ(record.scale().name, "blocks");
  EXPECT_EQ(record.value_of(record.step(0)[0]), 2);
}

TEST(StepRecord, OfCopiesHowFarTheyComeAndOfReductionsWhatGoesThere) {
  const Problem gossip = standard_problem(parse_topology("line(3)"), CollectiveKind::kAllgather);
  StepRecord copies(gossip);
  StepBuilder step;
  step.add(arc_between(gossip.topology(), 1, 2), BlockId{0});
  step.flush(copies);
  EXPECT_EQ(copies.step(0)[0].hop, 2U);
  EXPECT_EQ(copies.scale().name, "hops from the origin");
  const Problem sum = standard_problem(parse_topology("line(3)"), CollectiveKind::kAllreduce);
  StepRecord sums(sum);
  step.add(arc_between(sum.topology(), 0, 1), BlockId{0});
  step.flush(sums);
  EXPECT_EQ(sums.scale().words, (std::vector<std::string>{"sum"}));
  step.add(arc_between(sum.topology(), 1, 0), BlockId{0}, TransferOp::kCopy);
  step.flush(sums);
  EXPECT_EQ(sums.scale().words, (std::vector<std::string>{"sum", "result"}));
  EXPECT_EQ(sums.value_of(sums.step(1)[0]), 2);
}

TEST(SchedulePictures, ScenesShowStepsAndLoads) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kAlltoall);
  const NetworkLayout layout = layout_of(problem.topology());
  StepRecord record(problem);
  exchange_on_a_line(problem).replay(record);
  const NetworkScene step = step_scene(record, layout, 1);
  EXPECT_EQ(step.title, "step 2");
  EXPECT_EQ(step.values, (std::vector<float>{1, 2, 2, 1}));
  EXPECT_EQ(load_scene(record, layout).values, (std::vector<float>{2, 2, 2, 2}));
  EXPECT_EQ(load_histogram_of(record).mean, 2);
  EXPECT_EQ(error_of([&] { return step_scene(record, layout, 2).title; }),
            "there is no step 3; the plan has 2 steps");
  const SpaceTime diagram = space_time_of(record, layout);
  EXPECT_EQ(diagram.cells.size(), 8U);
  EXPECT_EQ(space_time_text(diagram),
            "x+ 11\n"
            "   12\n"
            "x- 12\n"
            "   11\n"
            "   step: 1 to 2; digits: hop of the block\n");
}

TEST(SchedulePictures, FindingsArePointedOutAtTheirStepAndLink) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kAlltoall);
  const Verification verification = verify(problem, exchange_on_a_line(problem, true));
  ASSERT_FALSE(verification.schedule.has_value());
  const std::vector<Finding>& findings = verification.verdict.findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].step, 1U);
  const NetworkLayout layout = layout_of(problem.topology());
  StepRecord record(problem);
  exchange_on_a_line(problem, true).replay(record);
  NetworkScene first = step_scene(record, layout, 0);
  point_out(findings, 0, first);
  EXPECT_TRUE(first.wrong.empty());
  NetworkScene second = step_scene(record, layout, 1);
  point_out(findings, 1, second);
  ASSERT_FALSE(second.wrong.empty());
  EXPECT_EQ(second.wrong[0], arc_between(problem.topology(), 0, 1));
  EXPECT_EQ(second.note, to_text(findings[0]));
  SpaceTime diagram = space_time_of(record, layout);
  point_out(findings, record, link_rows(layout), diagram);
  ASSERT_FALSE(diagram.marks.empty());
  EXPECT_EQ(diagram.marks[0].row, 0U);
  EXPECT_EQ(diagram.marks[0].time, 1.5);
}

TEST(SchedulePictures, WitnessesArePlaces) {
  const Topology net = parse_topology("line(3)");
  const NetworkLayout layout = layout_of(net);
  EXPECT_EQ(witness_scene(net, layout, CutWitness{{NodeId{0}}}).cut, std::vector<NodeId>{NodeId{0}});
  EXPECT_EQ(witness_scene(net, layout, NodeWitness{NodeId{2}}).ringed, std::vector<NodeId>{NodeId{2}});
  WeightsWitness weights;
  weights.links.push_back({NodeId{0}, NodeId{1}, 3});
  EXPECT_EQ(witness_scene(net, layout, weights).values, (std::vector<float>{3, 0, 0, 0}));
  const NetworkScene elsewhere = witness_scene(net, layout, RefutationWitness{});
  EXPECT_TRUE(elsewhere.cut.empty() && elsewhere.ringed.empty() && elsewhere.values.empty());
}

}  // namespace schedule_pictures_test
}  // namespace quadrille
