#include "quadrille/topology/groups/among.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace among_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<size_t> ranks_of(const std::string& spec, const std::string& text) {
  std::vector<size_t> out;
  for (const Rank rank : read_ranks(parse_topology(spec), text, "--ranks")) out.push_back(index(rank));
  return out;
}

std::string refusal_of(const std::string& spec) {
  return error_of([&] { static_cast<void>(parse_topology(spec)); });
}

TEST(Among, RanksAreNumbersRangesStridesAndLabels) {
  EXPECT_THAT(ranks_of("torus(4,4)", "0,3,8-10"), ElementsAre(0, 3, 8, 9, 10));
  EXPECT_THAT(ranks_of("torus(4,4)", "2-14:4"), ElementsAre(2, 6, 10, 14));
  EXPECT_THAT(ranks_of("torus(4,4)", ":5"), ElementsAre(0, 5, 10, 15));
  EXPECT_THAT(ranks_of("torus(4,4)", " (3,3) 1, (0,0)"), ElementsAre(0, 1, 15));
  // Digits that are no rank may be a label: a permutation of 1 to 4.
  EXPECT_THAT(ranks_of("star(4)", "0,1"), ElementsAre(0, 1));
  const Topology star = parse_topology("star(4)");
  EXPECT_THAT(ranks_of("star(4)", star.label(NodeId{7})), ElementsAre(7));
  // Endpoints are counted, not nodes.
  const Topology odd = parse_topology("among(line(7);\"1,3,5\")");
  EXPECT_THAT(odd.endpoint(read_ranks(odd, "2", "")[0]), NodeId{5});
}

TEST(Among, TextsOfRanksAreReadBackAsTheSame) {
  const Topology net = parse_topology("ring(40)");
  for (const std::string text : {"0", "0,1", "0-2", "0,3,8-15", "0-36:4", "1,3,7,9-11", "0-2,4-8:2,20"}) {
    const std::vector<Rank> ranks = read_ranks(net, text, "");
    EXPECT_EQ(ranks_text(ranks), text);
    EXPECT_EQ(read_ranks(net, ranks_text(ranks), ""), ranks);
  }
  EXPECT_EQ(parse_topology("among(ring(40);\"9,5,3,1,7\")").name(), "among(ring(40);\"1-9:2\")");
}

TEST(Among, TheOthersRelayUnlessToldNotTo) {
  const Topology some = parse_topology("among(torus(4,4);\"0,5,10,15\")");
  EXPECT_EQ(some.num_nodes(), 16U);
  EXPECT_EQ(some.num_arcs(), 64U);
  EXPECT_THAT(some.endpoints(), ElementsAre(NodeId{0}, NodeId{5}, NodeId{10}, NodeId{15}));
  EXPECT_EQ(some.label(some.endpoint(Rank{2})), "(2,2)");
  const Topology ring = parse_topology("among(torus(4,4);\"0-11:4,12\";no_relay)");
  EXPECT_EQ(ring.num_nodes(), 4U);
  EXPECT_EQ(ring.num_arcs(), 8U);
  EXPECT_EQ(ring.label(NodeId{3}), "(3,0)");
  // Who is everybody is no group.
  EXPECT_NE(parse_topology("among(torus(4,4);\"0-15\")").cayley(), nullptr);
}

TEST(Among, BoxesOfGridsStayGrids) {
  const auto sides = [](const std::string& spec) {
    const Topology net = parse_topology(spec);
    std::vector<std::string> out;
    if (net.product() != nullptr)
      for (const Topology& factor : net.product()->factors) out.push_back(factor.name());
    return out;
  };
  EXPECT_THAT(sides("among(torus(4,4);\"0-2,4-6\";no_relay)"), ElementsAre("line(2)", "line(3)"));
  EXPECT_THAT(sides("among(torus(4,4);\"0-7\";no_relay)"), ElementsAre("line(2)", "ring(4)"));
  EXPECT_THAT(sides("among(torus(3,3,3);\"0-17\";no_relay)"), ElementsAre("line(2)", "ring(3)", "ring(3)"));
  EXPECT_THAT(sides("among(torus(4,4);\"0-2,4-5\";no_relay)"), ElementsAre());
  const Topology row = parse_topology("among(torus(4,4);\"4-7\";no_relay)");
  ASSERT_NE(row.cayley(), nullptr);
  EXPECT_EQ(row.label(NodeId{1}), "(1,1)");
  // As links say, and not only the coordinates.
  EXPECT_THAT(refusal_of("among(mesh(4,4);\"0-3,8-11\";no_relay)"), HasSubstr("(0,0) does not reach (2,0)"));
}

TEST(Among, RoutersThatWereThereStayAndThoseThatLeadNowhereGo) {
  const Topology half = parse_topology("among(fat_tree(2^3);\"0-3\";no_relay)");
  EXPECT_EQ(half.num_endpoints(), 4U);
  EXPECT_TRUE(half.has_routers());
  for (const NodeId v : half.nodes()) EXPECT_GE(half.out_degree(v), 1U);
}

TEST(Among, RefusalsNameWhatIsWrong) {
  EXPECT_THAT(refusal_of("among(torus(4,4);\"3,0-5\")"),
              HasSubstr("rank 3 is named twice, by '3' and by '0-5'"));
  EXPECT_THAT(refusal_of("among(torus(4,4);\"16\")"),
              HasSubstr("there is no rank 16; torus(4,4) has ranks 0 to 15"));
  EXPECT_THAT(refusal_of("among(torus(4,4);\"5-2\")"), HasSubstr("the range 5-2 ends before it starts"));
  EXPECT_THAT(refusal_of("among(torus(4,4);\" , \")"), HasSubstr("no rank is named"));
  EXPECT_THAT(refusal_of("among(torus(4,4);\"0-8:0\")"), HasSubstr("no rank and no node '0-8:0'"));
  EXPECT_THAT(refusal_of("among(fat_tree(2^2);\"0,0@1\")"), HasSubstr("'0@1' is a router"));
  EXPECT_THAT(refusal_of("among(torus(4,4);\"0,5\";no_relay)"), HasSubstr("(0,0) does not reach (1,1)"));
  EXPECT_THAT(refusal_of("among(torus(4,4);\"0,5\";maybe)"),
              HasSubstr("relay (the others pass messages on) or no_relay"));
  EXPECT_THAT(refusal_of("among(torus(4,4);0)"), HasSubstr("ranks are given in quotes"));
}

}  // namespace
}  // namespace among_test
}  // namespace quadrille
