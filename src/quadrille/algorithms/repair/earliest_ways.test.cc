#include "quadrille/algorithms/repair/earliest_ways.h"

#include <gtest/gtest.h>

#include "quadrille/algorithms/repair/free_slots.h"
#include "quadrille/topology/faults/faulty_origin.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace earliest_ways_test {
namespace {

LivingPart part_of(std::string_view spec) {
  const Problem left = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall);
  const FaultyOrigin origin = *faulty_origin(left.topology());
  return LivingPart(standard_problem(origin.whole, CollectiveKind::kAlltoall), left, origin.original);
}

// A plan of three steps in which nothing is sent.
IdleSlots all_idle(const LivingPart& part) {
  HitBlocks hit{.removed = BlockSet(part.whole().collective().num_blocks()), .moved = {}, .steps = 3};
  const HealthyPlan nothing{[](StepSink& sink) {
    StepBuilder step;
    for (int t = 0; t < 3; ++t) step.flush(sink);
  }};
  return {part, hit, nothing};
}

TEST(FreeSlots, AreTakenAndGivenBack) {
  const LivingPart part = part_of("without(ring(6);\"link 0 1\")");
  FreeSlots slots(all_idle(part), 2);
  const ArcId arc = *part.topology().find_arc(NodeId{1}, NodeId{2});
  EXPECT_EQ(slots.end(), 5U);
  EXPECT_EQ(slots.next(arc, 0), 0U);
  slots.take(arc, 0);
  slots.take(arc, 1);
  EXPECT_EQ(slots.next(arc, 0), 2U);
  slots.give_back(arc, 1);
  EXPECT_EQ(slots.next(arc, 0), 1U);
  EXPECT_EQ(slots.next(arc, 4), 4U);
  EXPECT_EQ(slots.next(arc, 5), FreeSlots::kNever);
  EXPECT_EQ(slots.next(*part.topology().find_arc(NodeId{0}, NodeId{1}), 0), FreeSlots::kNever);
}

TEST(FreeSlots, AnArcHasAsManyAStepAsItsCapacity) {
  const LivingPart part = part_of("without(fat_tree(4,4);\"node 1\")");
  FreeSlots slots(all_idle(part), 0);
  for (const ArcId arc : part.topology().arcs()) {
    if (!part.lives(arc)) continue;
    for (uint32_t c = 0; c < part.topology().capacity(arc); ++c) {
      ASSERT_EQ(slots.next(arc, 1), 1U);
      slots.take(arc, 1);
    }
    EXPECT_EQ(slots.next(arc, 1), 2U);
  }
}

TEST(EarliestWays, WaitWhereThatIsSoonerAndGoRoundWhereItIsNot) {
  const LivingPart part = part_of("without(mesh(2,3);\"link (0,0) (0,1)\")");
  const Topology& net = part.topology();
  FreeSlots slots(all_idle(part), 10);
  LivingDistances distances(part);
  const NodeId to{1};
  const std::span<const uint32_t> hops = distances.to(to);
  EarliestWays ways(part, slots);
  std::span<const EarliestWays::Hop> way = ways.find(NodeId{0}, to, hops, 0, 13);
  ASSERT_EQ(way.size(), 3U);  // down, across and up
  EXPECT_EQ(way.back().step, 2U);
  EXPECT_TRUE(ways.find(NodeId{0}, to, hops, 2, 2).empty());
  const ArcId up = *net.find_arc(NodeId{4}, to);
  for (uint32_t t = 0; t < 8; ++t) slots.take(up, t);
  way = ways.find(NodeId{0}, to, hops, 0, 13);
  ASSERT_EQ(way.size(), 3U);
  EXPECT_EQ(way.back().step, 8U);
  way = ways.find(NodeId{0}, to, hops, 2, 8);
  ASSERT_EQ(way.size(), 5U);
  EXPECT_EQ(way.back().step, 4U);
  EXPECT_TRUE(ways.find(NodeId{0}, to, hops, 0, 8).empty());
}

}  // namespace
}  // namespace earliest_ways_test
}  // namespace quadrille
