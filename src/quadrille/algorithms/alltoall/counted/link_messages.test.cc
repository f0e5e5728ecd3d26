// What is gathered for links goes in one message each, and takes as many rounds as its busiest link.
#include "quadrille/algorithms/alltoall/counted/link_messages.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace link_messages_test {

TEST(LinkMessages, GoOverEachLinkOnce) {
  const Problem problem =
      standard_problem(parse_topology("ring(4)"), CollectiveKind::kAlltoall, {.packets = Packets::kMany});
  BlocksByArc blocks(problem);
  blocks.add(ArcId{2}, BlockId{5}, 2);
  blocks.add(ArcId{1}, BlockId{9}, 1);
  blocks.add(ArcId{2}, BlockId{1}, 1);
  StepBuilder step;
  blocks.send(step);
  ASSERT_EQ(step.view().size(), 2U);
  EXPECT_EQ(step.view().arcs(0).front(), ArcId{1});
  EXPECT_EQ(step.view().blocks(1).size(), 3U);
  step.clear();
  blocks.send(step);
  EXPECT_TRUE(step.empty()) << "what was sent is forgotten";
}

TEST(LinkMessages, TakeTheRoundsOfTheBusiestLink) {
  const Topology net = parse_topology("edges(\"a b 3, b c 1\")");
  RoundsOfLinks links(net);
  links.add(*net.find_arc(NodeId{0}, NodeId{1}), 7);
  links.add(*net.find_arc(NodeId{1}, NodeId{2}), 2);
  EXPECT_EQ(links.end_step(), 3U) << "seven over three lanes";
  links.add(*net.find_arc(NodeId{1}, NodeId{2}), 2);
  EXPECT_EQ(links.end_step(), 2U);
  EXPECT_EQ(links.end_step(), 0U);
}

}  // namespace link_messages_test
}  // namespace quadrille
