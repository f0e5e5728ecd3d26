#include "quadrille/topology/faults/node_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/faults/faults.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/queries/node_names.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace node_numbers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string label_of(const Topology& net, const std::string& name) {
  return net.label(find_node(net, name, "--root", Numbers::kWhole));
}

TEST(NodeNumbers, AreThoseOfTheWholeNetwork) {
  const Topology torus = parse_topology("without(torus(4,4);\"node 0\")");
  EXPECT_EQ(label_of(torus, "5"), "(1,1)");
  EXPECT_EQ(label_of(torus, "15"), "(3,3)");
  EXPECT_EQ(label_of(torus, "(0,1)"), "(0,1)");
  // Inside of a plan they are numbered without gaps.
  EXPECT_EQ(torus.label(find_node(torus, "5", "")), "(1,2)");
  const Topology line = parse_topology("without(line(6);\"node 0\")");
  EXPECT_EQ(label_of(line, "3"), "3");
  EXPECT_EQ(NodeNumbers(line, Numbers::kWhole).number_of(NodeId{2}), 3U);
  const Topology healthy = parse_topology("line(6)");
  EXPECT_EQ(label_of(healthy, "3"), "3");
  // Links alone shift nothing, and routers have numbers, too.
  EXPECT_EQ(label_of(parse_topology("without(ring(5);\"link 0 1\")"), "4"), "4");
  const Topology tree = parse_topology("without(fat_tree(2^2);\"node 0\")");
  EXPECT_EQ(find_node(tree, "4", "", Numbers::kWhole), NodeId{3});
  EXPECT_THAT(find_nodes(line, "1-3,5", "--cut", Numbers::kWhole),
              ElementsAre(NodeId{0}, NodeId{1}, NodeId{2}, NodeId{4}));
}

TEST(NodeNumbers, WhoIsGoneIsNamed) {
  const Topology torus = parse_topology("without(torus(4,4);\"node 0\",\"node 6\")");
  for (const std::string name : {"0", "(0,0)"})
    EXPECT_THAT(
        error_of([&] { static_cast<void>(label_of(torus, name)); }),
        HasSubstr("--root: node 0, (0,0), is not left of without(torus(4,4);\"node 0\",\"node 6\"); the "
                  "others keep the numbers that they had"));
  EXPECT_THAT(error_of([&] { static_cast<void>(label_of(torus, "6")); }),
              HasSubstr("node 6, (1,2), is not left"));
  EXPECT_THAT(error_of([&] { static_cast<void>(label_of(torus, "16")); }),
              HasSubstr("has no node '16'; give a number from 0 to 15"));
}

TEST(NodeNumbers, RanksAreThoseOfTheWholeNetworkLikewise) {
  const Topology torus = parse_topology("without(torus(4,4);\"node 0\")");
  EXPECT_THAT(read_ranks(torus, "1,5-6", "--ranks", Numbers::kWhole), ElementsAre(Rank{0}, Rank{4}, Rank{5}));
  EXPECT_THAT(error_of([&] { static_cast<void>(read_ranks(torus, "0-3", "--ranks", Numbers::kWhole)); }),
              HasSubstr("--ranks: '0-3': rank 0 is not left of without"));
  // A spec counts what stands in it.
  EXPECT_THAT(read_ranks(torus, "1,5-6", "--ranks"), ElementsAre(Rank{1}, Rank{5}, Rank{6}));
  // Of a part whose others relay, nodes keep their numbers and ranks are counted anew.
  const Topology some = parse_topology("among(without(torus(4,4);\"node 0\");\"0,4,5\")");
  EXPECT_EQ(label_of(some, "5"), "(1,1)");
  EXPECT_EQ(some.label(some.endpoint(read_ranks(some, "1", "", Numbers::kWhole)[0])), "(1,1)");
}

TEST(NodeNumbers, OfAFileAreReadAgain) {
  const std::string path = ::testing::TempDir() + "quadrille_node_numbers.edges";
  std::ofstream(path) << "a b\nb c\nc d\nd a\n";
  const Topology left = parse_topology("without(file(\"" + path + "\");\"node a\")");
  EXPECT_EQ(label_of(left, "2"), "c");
  std::remove(path.c_str());
  // Where it is gone nothing else is known.
  EXPECT_EQ(label_of(left, "2"), "d");
}

TEST(NodeNumbers, FaultsOfFaultsAreFaults) {
  const std::vector<std::string> more = {"link 6 7"};
  EXPECT_EQ(name_without("ring(8)", more), "without(ring(8);\"link 6 7\")");
  EXPECT_EQ(name_without("without(ring(8);\"node 0\")", more), "without(ring(8);\"node 0\",\"link 6 7\")");
  const Topology left = parse_topology("without(ring(8);\"node 0\")");
  Faults faults;
  add_fault(left, "link 6 7", faults, Numbers::kWhole);
  EXPECT_EQ(left.label(left.tail(faults.arcs[0])), "6");
  // What a spec said it says: the numbers of what stands in it.
  EXPECT_EQ(parse_topology("without(without(line(6);\"node 0\");\"node 0\")").label(NodeId{0}), "2");
}

}  // namespace
}  // namespace node_numbers_test
}  // namespace quadrille
