#include "quadrille/topology/topology_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/catalog.h"

namespace quadrille {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(std::string_view spec) {
  try {
    (void)parse_topology(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The lines after the message: the spec and the caret under the mistake.
std::string caret_of(std::string_view spec) {
  const std::string error = error_of(spec);
  const size_t end = error.find('\n');
  return end == std::string::npos ? "no caret" : error.substr(end + 1);
}

TEST(TopologySpec, AnUnknownFamilyGetsTheNearestNameAndTheListOfAll) {
  EXPECT_THAT(
      error_of("tors(4,4)"),
      AllOf(StartsWith("topology:1:1: no topology is called 'tors'; did you mean 'torus'? known families: "),
            HasSubstr("butterfly"), HasSubstr("tree")));
  EXPECT_EQ(caret_of("tors(4,4)"), "  tors(4,4)\n  ^~~~");
  EXPECT_EQ(caret_of("product(ring(4),nonsense(4))"),
            "  product(ring(4),nonsense(4))\n"
            "                  ^~~~~~~~");
}

TEST(TopologySpec, WrongArityShowsTheSyntax) {
  EXPECT_EQ(error_of("ring(4,5)"),
            "topology:1:8: ring takes 1 argument here, not 2: ring(n)\n"
            "  ring(4,5)\n"
            "         ^");
  EXPECT_EQ(error_of("ring()"),
            "topology:1:6: ring takes 1 argument here, not 0: ring(n)\n"
            "  ring()\n"
            "       ^");
  EXPECT_THAT(error_of("k_ary_n_cube(4)"), HasSubstr("k_ary_n_cube(k,n)"));
  EXPECT_THAT(error_of("torus()"), HasSubstr("torus needs at least one side"));
  EXPECT_THAT(error_of("circulant(8)"), HasSubstr("circulant needs more here, after a ';'"));
  EXPECT_THAT(error_of("torus(4;4)"), HasSubstr("torus has no such part"));
  EXPECT_EQ(caret_of("torus(4;4)"), "  torus(4;4)\n         ^~");
  EXPECT_THAT(error_of("product()"), HasSubstr("product needs at least one topology"));
  EXPECT_THAT(error_of("product(4)"), HasSubstr("a factor is a topology like ring(4), not '4'"));
  EXPECT_THAT(error_of("ring(ring(4))"), HasSubstr("is a number, not 'ring(4)'"));
}

TEST(TopologySpec, ZeroIsNoSize) {
  EXPECT_EQ(error_of("torus(4,0)"),
            "topology:1:9: the side is 0, at least 1 is needed\n"
            "  torus(4,0)\n"
            "          ^");
  for (const std::string_view spec :
       {"line(0)", "ring(0)", "complete(0)", "mesh(0)", "hypercube(0)", "star(0)", "pancake(0)",
        "butterfly(0)", "cube_connected_cycles(0)", "tree(0)", "fat_tree(2,0)", "generalized_hypercube(0)",
        "extended_ring(0,0)", "circulant(0;1)", "k_ary_n_cube(0,2)", "k_ary_n_cube(2,0)", "cayley(Z(0);1)",
        "cayley(S(0);(0 1))", "torus(4^0)"}) {
    EXPECT_THAT(error_of(spec), HasSubstr("at least")) << spec;
    EXPECT_THAT(caret_of(spec), HasSubstr("^")) << spec;
  }
  EXPECT_THAT(error_of("hypercycle(0:0)"), HasSubstr("the number of nodes is 0, it must be 1 to"));
}

TEST(TopologySpec, MoreNodesThanIdsIsAnErrorAndNoWrap) {
  // 2^32 nodes would be 0 in 32 bits, and 2^32 + 4 would be 4.
  EXPECT_EQ(error_of("torus(65536,65536)"),
            "topology:1:1: torus(65536,65536) has 4294967296 nodes; at most 4294967294 can be numbered\n"
            "  torus(65536,65536)\n"
            "  ^~~~~~~~~~~~~~~~~~");
  EXPECT_THAT(error_of("line(4294967300)"), HasSubstr("has 4294967300 nodes; at most 4294967294"));
  EXPECT_THAT(error_of("line(4294967295)"), HasSubstr("has 4294967295 nodes; at most 4294967294"));
  EXPECT_THAT(error_of("hypercube(50)"), HasSubstr("has 1125899906842624 nodes; at most"));
  EXPECT_THAT(error_of("hypercube(64)"), HasSubstr("too large to be computed (beyond 2^120)"));
  EXPECT_THAT(error_of("star(25)"), HasSubstr("nodes; at most"));
  EXPECT_THAT(error_of("butterfly(60)"), HasSubstr("nodes; at most"));
  EXPECT_THAT(error_of("tree(10000^3)"), HasSubstr("has 1000100010001 nodes; at most"));
  EXPECT_THAT(error_of("cayley(Z(65536,65536);[1,0],[65535,0],[0,1],[0,65535])"),
              HasSubstr("4294967296 nodes"));
  EXPECT_THAT(error_of("product(ring(100000),ring(100000))"), HasSubstr("has 10000000000 nodes"));
}

TEST(TopologySpec, AGraphThatNoMemoryHoldsIsRefusedBeforeItIsBuilt) {
  EXPECT_THAT(error_of("complete(1000000)"),
              HasSubstr("has 999999000000 arcs; a graph of at most 2147483648"));
  EXPECT_THAT(error_of("extended_ring(4000000000,1000)"), HasSubstr("arcs; a graph of at most"));
}

TEST(TopologySpec, NumbersThatOverflowAreNamed) {
  EXPECT_THAT(error_of("line(1000000000000000001)"), HasSubstr("at most 1000000000000000000 is possible"));
  EXPECT_THAT(error_of("line(18446744073709551616)"), HasSubstr("this number is too large"));
  EXPECT_THAT(error_of("torus(1000000000000000000^64)"), HasSubstr("too large"));
  EXPECT_THAT(error_of("torus(2^65)"), HasSubstr("torus can have at most 64 dimensions or levels"));
  EXPECT_THAT(error_of("torus(2^18446744073709551615)"), HasSubstr("at most 64 dimensions"));
}

TEST(TopologySpec, GeneratorsMustMakeAnUndirectedConnectedGraph) {
  EXPECT_EQ(error_of("cayley(Z(7);2,0,5)"),
            "topology:1:15: the identity cannot be a generator: it links every node to itself\n"
            "  cayley(Z(7);2,0,5)\n"
            "                ^");
  EXPECT_EQ(error_of("cayley(Z(7);2,5,3)"),
            "topology:1:17: generator 3 has no inverse among the generators; add 4\n"
            "  cayley(Z(7);2,5,3)\n"
            "                  ^");
  EXPECT_THAT(error_of("cayley(Z(4,6);[1,2],[2,0])"),
              HasSubstr("generator [1,2] has no inverse among the generators; add [3,4]"));
  EXPECT_THAT(error_of("cayley(S(4);(0 1 2),(2 3))"),
              HasSubstr("generator (0 1 2) has no inverse among the generators; add (0 2 1)"));
  EXPECT_EQ(caret_of("cayley(S(4);(0 1 2),(2 3))"),
            "  cayley(S(4);(0 1 2),(2 3))\n"
            "              ^~~~~~~");
  EXPECT_THAT(error_of("cayley(S(4);())"), HasSubstr("the identity cannot be a generator"));
  EXPECT_THAT(error_of("cayley(Z(7);2,2)"), HasSubstr("generator 2 is listed twice"));
  EXPECT_THAT(error_of("cayley(Z(8);2,6)"), HasSubstr("do not reach every element of Z(8)"));
  EXPECT_THAT(error_of("cayley(Z(7);9,5)"), HasSubstr("component 9 must be below its modulus 7"));
  EXPECT_THAT(error_of("cayley(Z(4,6);1)"), HasSubstr("Z(4,6) needs 2 components, not 1"));
  EXPECT_THAT(error_of("cayley(S(3);(0 3))"), HasSubstr("S(3) permutes the points 0 to 2, not 3"));
  EXPECT_THAT(error_of("cayley(S(3);(0 1 0))"), HasSubstr("point 0 occurs twice"));
  EXPECT_THAT(error_of("cayley(D(4);1)"), HasSubstr("'D(4)' is no group"));
  EXPECT_THAT(error_of("circulant(8;2,4)"), HasSubstr("these jumps are all multiples of 2"));
  EXPECT_THAT(error_of("circulant(8;8)"), HasSubstr("a jump of 8 links every one of the 8 nodes to itself"));
}

TEST(TopologySpec, TheTextMustBeOneWholeTopology) {
  EXPECT_EQ(error_of("product(ring(4),torus(4,4)"),
            "topology:1:8: the '(' after product is never closed\n"
            "  product(ring(4),torus(4,4)\n"
            "         ^");
  EXPECT_THAT(error_of("torus(4,4))"), HasSubstr("topology:1:11: unexpected text after the topology"));
  EXPECT_THAT(error_of("torus(4,4)x"), HasSubstr("unexpected text after the topology"));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "product(";
  EXPECT_THAT(error_of(deep), HasSubstr("nested too deeply; at most 32 levels are allowed"));
  std::string nested = "ring(3)";
  for (int i = 0; i < 31; ++i) nested = "product(" + nested + ")";
  EXPECT_EQ(parse_topology(nested).num_nodes(), 3U);
  EXPECT_THAT(error_of("product(" + nested + ")"), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace quadrille
