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

}  // namespace plan_rounds_test
}  // namespace quadrille
