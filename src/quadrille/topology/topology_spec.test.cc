#include "quadrille/topology/topology_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/typed_spec.h"

namespace quadrille {
namespace topology_spec_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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

TEST(TopologySpec, TheBareNameOfAFileIsTheGraphInIt) {
  const std::string path = ::testing::TempDir() + "quadrille_bare_name.edges";
  write_file(path, "a b\nb c\nc a\n");
  EXPECT_EQ(parse_topology(path).name(), "file(\"" + path + "\")");
  EXPECT_EQ(parse_topology(path).num_nodes(), 3U);
  EXPECT_EQ(typed_spec("-"), "file(\"-\")");
  EXPECT_EQ(typed_spec("torus(4,4)"), "torus(4,4)");
  EXPECT_THAT(error_of("dgx8.graphml"), HasSubstr("cannot read 'dgx8.graphml': No such file or directory"));
  EXPECT_TRUE(is_named_as_graph("net.dot"));
  EXPECT_FALSE(is_named_as_graph("a.json"));
  EXPECT_FALSE(is_named_as_graph("a.plan"));
  EXPECT_THAT(error_of("no/such/thing"), HasSubstr("needs its sizes in parentheses"));
  // A stranger's spec is not looked for on this machine.
  try {
    static_cast<void>(parse_spec(source_path("README.md"), "x.plan"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a topology starts with its family"));
  }
}

TEST(TopologySpec, ANodeThatCannotBeReachedIsNamedLikeTheOther) {
  EXPECT_THAT(error_of("edges(\"a b, c d\")"), HasSubstr("node c cannot be reached from node a"));
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
  EXPECT_THAT(error_of("hypercube(64)"), HasSubstr("has 18446744073709551616 nodes; at most"));
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

// A mistake, what must be said about it, and what the caret must be under.
struct Mistake {
  std::string_view spec;
  std::string_view says;
  std::string_view under;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.spec; }

constexpr Mistake kMistakes[] = {
    {"toru(4,4)",
     "no topology is called 'toru'; did you mean 'torus'? known families: among, butterfly, cayley,", "toru"},
    {"qqq(4)", "no topology is called 'qqq'; known families: among, butterfly,", "qqq"},
    {"product(ring(4),rong(3))", "did you mean 'ring'?", "rong"},
    // Arity.
    {"ring()", "ring takes 1 argument here, not 0: ring(n)", ")"},
    {"ring(3,4)", "ring takes 1 argument here, not 2: ring(n)", "4"},
    {"ring(3;4)", "ring has no such part: ring(n)", ";4"},
    {"torus()", "torus needs at least one side", ")"},
    {"product()", "product needs at least one topology", ")"},
    {"extended_ring(8)", "extended_ring takes 2 arguments here, not 1", ")"},
    {"circulant(8)", "circulant needs more here, after a ';': circulant(n;j1,j2,..)", ")"},
    {"circulant(8;)", "circulant needs at least one jump", ")"},
    {"hypercycle()", "hypercycle has 1 to 64 dimensions", ")"},
    {"fat_tree(2^3;1,2)", "2 capacities for 3 levels", "1,2"},
    // Kinds.
    {"ring(ring(3))", "the number of nodes is a number, not 'ring(3)'", "ring(3)"},
    {"hypercycle(14)", "a number of nodes and a reach, like 14:2, not '14'", "14"},
    {"product(ring(3),4)", "a factor is a topology like ring(4), not '4'", "4"},
    {"fat_tree(2^3;linear)", "unknown capacity pattern 'linear'; write constant, exponential", "linear"},
    // Zero and too much.
    {"ring(0)", "the number of nodes is 0, at least 1 is needed", "0"},
    {"torus(4,0)", "the side is 0, at least 1 is needed", "0"},
    {"torus(4^0)", "at least once", "4^0"},
    {"torus(1^100)", "torus can have at most 64 dimensions or levels", "1^100"},
    {"hypercube(0)", "the number of dimensions is 0", "0"},
    {"hypercube(65)", "the number of dimensions is 65, at most 64 is possible", "65"},
    {"star(26)", "the number of symbols is 26, at most 25 is possible", "26"},
    {"fat_tree(4;0)", "the capacity is 0, at least 1 is needed", "0"},
    {"fat_tree(2,1,3)", "the arity is 1, at least 2 is needed", "1"},
    {"fat_tree(2^4;3^2,2^2)", "the capacity of level 3 is 2, less than 3 below it", "2^2"},
    {"fat_tree(4,2;2,1)", "the capacity of level 2 is 1, less than 2 below it: a fat tree may stay as wide",
     "1"},
    {"fat_tree(2^40;exponential)", "the capacity of level 33 is 4294967296; at most 4294967295",
     "exponential"},
    {"extended_ring(8,5)", "the reach is 5, at most half of 8 nodes is possible", "5"},
    {"hypercycle(8:5)", "the reach is 5, among 8 nodes it must be 1 to 4", "8:5"},
    {"hypercycle(0:0)", "the number of nodes is 0", "0:0"},
    {"ring(1000000000000000001)", "at most 1000000000000000000 is possible", "1000000000000000001"},
    {"ring(18446744073709551616)", "this number is too large; at most 18446744073709551615",
     "18446744073709551616"},
    {"ring(4294967295)", "has 4294967295 nodes; at most 4294967294 can be numbered", "ring(4294967295)"},
    {"torus(65536,65536)", "has 4294967296 nodes; at most", "torus(65536,65536)"},
    {"complete(50000)", "has 2499950000 arcs; a graph of at most 2147483648 can be built", "complete(50000)"},
    {"star(13)", "has 6227020800 nodes; at most", "star(13)"},
    {"product(ring(3),torus(65536,65536))", "has 12884901888 nodes", "product(ring(3),torus(65536,65536))"},
    {"torus(1000000000000000000^8)", "the number of nodes of this topology is too large to be computed",
     "torus(1000000000000000000^8)"},
    {"tree(4000000000,2)", "nodes; at most 4294967294 can be numbered", "tree(4000000000,2)"},
    // Circulants and groups.
    {"circulant(8;2,4)", "all multiples of 2, as is 8: node 1 cannot be reached from node 0", "2,4"},
    {"circulant(8;1,16)", "a jump of 16 links every one of the 8 nodes to itself", "16"},
    {"cayley(Z(12);1,11,5)", "generator 5 has no inverse among the generators; add 7", "5"},
    {"cayley(Z(4,6);[1,0],[3,0],[0,1])", "generator [0,1] has no inverse among the generators; add [0,5]",
     "[0,1]"},
    {"cayley(S(3);(0 1 2))", "generator (0 1 2) has no inverse among the generators; add (0 2 1)", "(0 1 2)"},
    {"cayley(Z(12);1,11,0)", "the identity cannot be a generator", "0"},
    {"cayley(S(4);(0 1),())", "the identity cannot be a generator", "()"},
    {"cayley(S(4);(0 1),(1 0))", "generator (0 1) is listed twice", "(1 0)"},
    {"cayley(Z(12);2,10)", "do not reach every element of Z(12)", "2,10"},
    {"cayley(Z(4,6);[1,0],[3,0],[0,2],[0,4])", "do not reach every element of Z(4,6)",
     "[1,0],[3,0],[0,2],[0,4]"},
    {"cayley(Z(12);13)", "component 13 must be below its modulus 12", "13"},
    {"cayley(Z(4,6);1)", "Z(4,6) needs 2 components, not 1", "1"},
    {"cayley(Z(12);(0 1))", "a generator of Z(12) is a number or a tuple", "(0 1)"},
    {"cayley(S(4);3)", "a generator of S(4) is a permutation like (0 1)(2 3), not '3'", "3"},
    {"cayley(S(4);(0 4))", "S(4) permutes the points 0 to 3, not 4", "(0 4)"},
    {"cayley(S(4);(0 1)(1 2))", "point 1 occurs twice", "(0 1)(1 2)"},
    {"cayley(D(4);1)", "'D(4)' is no group; write Z(12), Z(4,6) or S(4)", "D(4)"},
    {"cayley(Z(12);)", "cayley needs at least one generator", ")"},
    {"cayley(Z(0);1)", "the modulus is 0, at least 1 is needed", "0"},
    {"cayley(S(65);(0 1))", "the number of points is 65, at most 64 is possible", "65"},
};

class BadSpec : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadSpec, IsOneErrorThatPointsAtTheMistake) {
  const Mistake& mistake = GetParam();
  const std::string error = error_of(mistake.spec);
  EXPECT_THAT(error, HasSubstr(std::string(mistake.says)));
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 2) << error;
  // The last line has the caret, as far right as the mistake is in the line above.
  const size_t caret_line = error.rfind('\n') + 1;
  const size_t spec_line = error.rfind('\n', caret_line - 2) + 1;
  const size_t caret = error.find('^', caret_line) - caret_line;
  const size_t marks = error.size() - caret_line - caret;
  EXPECT_EQ(error.substr(spec_line + caret, marks), mistake.under) << error;
}

INSTANTIATE_TEST_SUITE_P(Specs, BadSpec, ::testing::ValuesIn(kMistakes));

TEST(TopologySpec, OtherWordsOfTheFieldNameTheSameFamilies) {
  EXPECT_EQ(parse_topology("array(4)").name(), "line(4)");
  EXPECT_EQ(parse_topology("grid(2,3)").name(), "mesh(2,3)");
  EXPECT_EQ(parse_topology("ccc(3)").name(), "cube_connected_cycles(3)");
  EXPECT_EQ(parse_topology("k_ary_n_cube(4,2)").name(), "torus(4,4)");
}

TEST(TopologySpec, IsWrittenInOneWayOnly) {
  EXPECT_EQ(parse_topology(" torus ( 3 ^ 2 ,\n 2 ) ").name(), "torus(3,3,2)");
  EXPECT_EQ(parse_topology("circulant(12;11,3,2)").name(), "circulant(12;1,2,3)");
  EXPECT_EQ(parse_topology("fat_tree(2,2;1,1)").name(), "fat_tree(2^2)");
  EXPECT_EQ(parse_topology("fat_tree(4,2;1,4)").name(), "fat_tree(4,2;exponential)");
  EXPECT_EQ(parse_topology("cayley(Z(12);7,5,11,1)").name(), "cayley(Z(12);1,5,7,11)");
  EXPECT_EQ(parse_topology("cayley(S(3);(1 0))").name(), "cayley(S(3);(0 1))");
}

TEST(TopologySpec, TwoSpecsOfOneGraphAreTheSameGraph) {
  EXPECT_TRUE(parse_topology("hypercube(3)").same_graph(parse_topology("torus(2^3)")));
  EXPECT_TRUE(parse_topology("torus(4,3)").same_graph(parse_topology("product(ring(4),ring(3))")));
  EXPECT_TRUE(parse_topology("extended_ring(9,3)").same_graph(parse_topology("circulant(9;1,2,3)")));
  EXPECT_TRUE(parse_topology("star(4)").same_graph(parse_topology("cayley(S(4);(0 1),(0 2),(0 3))")));
  EXPECT_TRUE(parse_topology("pancake(4)").same_graph(parse_topology("cayley(S(4);(0 1),(0 2),(0 3)(1 2))")));
  EXPECT_TRUE(
      parse_topology("torus(4,6)").same_graph(parse_topology("cayley(Z(4,6);[1,0],[3,0],[0,1],[0,5])")));
  EXPECT_TRUE(parse_topology("hypercycle(7:2,3:1)")
                  .same_graph(parse_topology("product(extended_ring(7,2),ring(3))")));
}

TEST(TopologySpec, AProductOfProductsHasAllTheirDimensions) {
  const Topology net = parse_topology("product(torus(4,3),ring(3))");
  ASSERT_NE(net.product(), nullptr);
  EXPECT_EQ(net.product()->factors.size(), 3U);
  EXPECT_EQ(net.label(NodeId{11}), "(1,0,2)");
  EXPECT_NE(net.cayley(), nullptr);
}

// Any text at all is a topology or an InputError, and nothing else.
RC_GTEST_PROP(TopologySpec, DamagedTextIsAnErrorOfTheInput, ()) {
  static const std::vector<std::string> kTexts{
      "torus(4,3)",          "cayley(Z(4,6);[1,0],[3,0],[0,1],[0,5])",
      "fat_tree(2^3;1,2,4)", "product(ring(3),mesh(2,2))",
      "hypercycle(7:2,3:1)", "cayley(S(4);(0 1),(1 2)(0 3))"};
  std::string text = *rc::gen::elementOf(kTexts);
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits; ++i) {
    const auto at = *rc::gen::inRange<size_t>(0, text.size());
    const char c = *rc::gen::elementOf(std::string("()[],;:^\"\\ 0123456ab\n"));
    if (*rc::gen::arbitrary<bool>()) {
      text[at] = c;
    } else {
      text.insert(at, 1, c);
    }
  }
  try {
    const TopologyFacts facts = topology_facts(parse_spec(text, "damaged"));
    if (facts.nodes + facts.links > 5000) return;
    const Topology net = parse_topology(text);
    RC_ASSERT(parse_topology(net.name()).same_graph(net));
  } catch (const InputError& error) {
    RC_ASSERT(std::string_view(error.what()).find('^') != std::string_view::npos);
  }
}

}  // namespace topology_spec_test
}  // namespace quadrille
