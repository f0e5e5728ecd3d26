#include "quadrille/compile/lending/plan_rounds.h"

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace plan_rounds_test {

TEST(PlanRounds, AddUpWhatSharesAnArcStepByStep) {
  const Topology line = parse_topology("line(3)");
  const ArcId first = *line.find_arc(NodeId{0}, NodeId{1});
  const ArcId second = *line.find_arc(NodeId{1}, NodeId{2});
  const std::array<ArcId, 2> both{first, second};
  const std::array<BlockId, 3> blocks{BlockId{0}, BlockId{1}, BlockId{2}};
  Plan plan;
  EXPECT_EQ(rounds_of(line, plan), 0U);
  StepBuilder step;
  step.add(both, std::span(blocks).first(2));
  step.add({&second, 1}, std::span(blocks).last(1));
  step.flush(plan);
  EXPECT_EQ(rounds_of(line, plan), 3U);
  step.add({&first, 1}, std::span(blocks).first(1));
  step.flush(plan);
  EXPECT_EQ(rounds_of(line, plan), 4U);
}

TEST(PlanRounds, OfPacketsThatAreMergedAreWhatTheBusiestLinkOrPortCarries) {
  const Topology star = parse_topology("tree(3^1)");
  const Model packets{.send = kOnePort, .receive = kOnePort};
  const Problem one_port = standard_problem(star, CollectiveKind::kBroadcast, packets);
  const NodeId root = star.tail(ArcId{0});
  Plan plan;
  StepBuilder step;
  const BlockId block{0};
  for (const ArcId arc : star.arcs_from(root)) {
    for (int twice = 0; twice < 2; ++twice) {
      step.add(arc, block);
      step.flush(plan);
    }
  }
  const uint64_t links = star.arcs_from(root).size();
  EXPECT_EQ(rounds_of_merged_at_least(one_port, plan), 2 * links) << "through the port of the root";
  const Problem all_ports{star, one_port.collective(), {}};
  EXPECT_EQ(rounds_of_merged_at_least(all_ports, plan), 2U) << "over a link";
}

}  // namespace plan_rounds_test
}  // namespace quadrille
