#include "quadrille/topology/faults/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace faults_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FaultyNetwork left_of(const std::string& spec, const std::vector<std::string>& texts) {
  const Topology whole = parse_topology(spec);
  Faults faults;
  for (const std::string& text : texts) add_fault(whole, text, faults);
  return without(whole, faults, "left");
}

std::string refusal_of(const std::string& spec) {
  return error_of([&] { static_cast<void>(parse_topology(spec)); });
}

TEST(Faults, TakeLinksAndNodesAway) {
  const FaultyNetwork link = left_of("torus(4,4)", {"link (0,0) (0,1)"});
  EXPECT_EQ(link.topology.num_nodes(), 16U);
  EXPECT_EQ(link.topology.num_arcs(), 62U);
  EXPECT_FALSE(link.topology.find_arc(NodeId{0}, NodeId{1}));
  EXPECT_FALSE(link.topology.find_arc(NodeId{1}, NodeId{0}));
  EXPECT_THAT(link.cut_off, IsEmpty());
  const FaultyNetwork arc = left_of("torus(4,4)", {"arc 0 1"});
  EXPECT_TRUE(arc.topology.is_directed());
  EXPECT_FALSE(arc.topology.find_arc(NodeId{0}, NodeId{1}));
  EXPECT_TRUE(arc.topology.find_arc(NodeId{1}, NodeId{0}));
  const FaultyNetwork node = left_of("mesh(3,3)", {"node (1,1)"});
  EXPECT_EQ(node.topology.num_nodes(), 8U);
  EXPECT_EQ(node.topology.num_arcs(), 16U);
  EXPECT_EQ(node.topology.label(NodeId{4}), "(1,2)");
  EXPECT_EQ(node.original[4], NodeId{5});
}

TEST(Faults, LeaveTheLargestPart) {
  const FaultyNetwork left = left_of("line(6)", {"link 1 2"});
  EXPECT_EQ(left.topology.num_nodes(), 4U);
  EXPECT_THAT(left.cut_off, ElementsAre(NodeId{0}, NodeId{1}));
  // A host without its link, and a router that leads nowhere.
  const FaultyNetwork hosts = left_of("fat_tree(2^2)", {"link 0 0@1"});
  EXPECT_EQ(hosts.topology.num_endpoints(), 3U);
  EXPECT_THAT(hosts.cut_off, ElementsAre(NodeId{0}));
  // One way alone is not enough to take part.
  EXPECT_THAT(left_of("line(3)", {"arc 1 0"}).cut_off, ElementsAre(NodeId{0}));
  EXPECT_THROW(left_of("line(1)", {"node 0"}), InputError);
}

TEST(Faults, AreFoundByNumberOrLabelEvenWhereNamesHaveBlanks) {
  const Topology net = parse_topology("edges(\"a b, b c, c a\")");
  Faults faults;
  add_fault(net, "  link   a\tc ", faults);
  EXPECT_EQ(faults.arcs.size(), 2U);
  TopologyBuilder builder("names", 3);
  builder.link(NodeId{0}, NodeId{1});
  builder.link(NodeId{1}, NodeId{2});
  builder.labels({"big one", "a", "b c"});
  const Topology blanks = builder.build();
  Faults some;
  add_fault(blanks, "link big one a", some);
  add_fault(blanks, "node b c", some);
  EXPECT_EQ(some.arcs.size(), 2U);
  EXPECT_THAT(some.nodes, ElementsAre(NodeId{2}));
}

TEST(Faults, SayWhatIsWrong) {
  EXPECT_THAT(refusal_of("without(mesh(2,2);\"lnk 0 1\")"),
              HasSubstr("'lnk 0 1' is no fault; write \"link A B\""));
  EXPECT_THAT(refusal_of("without(mesh(2,2);\"link 0 3\")"), HasSubstr("has no link from (0,0) to (1,1)"));
  EXPECT_THAT(refusal_of("without(mesh(2,2);\"link 0\")"), HasSubstr("names one node"));
  EXPECT_THAT(refusal_of("without(mesh(2,2);\"link 0 9\")"), HasSubstr("has no node '9'"));
  EXPECT_THAT(refusal_of("without(mesh(2,2);\"node 7\")"), HasSubstr("has no node '7'"));
  EXPECT_THAT(refusal_of("without(line(3);\"node 1\")"), HasSubstr("this cuts off 2 from the others"));
  EXPECT_THAT(refusal_of("without(line(2);\"node 0\",\"node 1\")"),
              HasSubstr("no endpoint of line(2) is left"));
  EXPECT_THAT(refusal_of("without(line(2);0)"), HasSubstr("a fault is given in quotes"));
  EXPECT_THAT(refusal_of("without(8;\"node 0\")"), HasSubstr("a topology like torus(4,4) is needed"));
  EXPECT_THAT(refusal_of("without(line(3))"), HasSubstr("without(topology;"));
}

}  // namespace
}  // namespace faults_test
}  // namespace quadrille
