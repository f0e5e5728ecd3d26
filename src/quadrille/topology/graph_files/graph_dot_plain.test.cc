#include "quadrille/topology/graph_files/graph_dot_plain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/graph_files/graph_reader.h"

namespace quadrille {
namespace graph_dot_plain_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string plain(std::string_view text) { return plain_dot("net.dot", text); }
Topology read(const std::string& text) { return read_graph("net", "net.dot", text, GraphFormat::kDot); }
std::string error_in(const std::string& text) {
  return error_of([&] { (void)read(text); });
}

TEST(PlainDot, NamesSubgraphsThatHaveNoWord) {
  EXPECT_EQ(plain("graph{a--{b c}}"), "graph{a-- subgraph {b c}}");
  EXPECT_EQ(plain("strict digraph \"{\" { {a} -> b }"), "strict digraph \"{\" {  subgraph {a} -> b }");
  // Those that have one keep it.
  const std::string named = "graph { subgraph x {a} SubGraph {b} subgraph \"y {\" {c} }";
  EXPECT_EQ(plain(named), named);
  EXPECT_EQ(plain("graph { subgraph ü {ä} }"), "graph { subgraph ü {ä} }");
  EXPECT_EQ(plain("graph { subgraph x {a} {b} }"), "graph { subgraph x {a}  subgraph {b} }");
}

TEST(PlainDot, HasNoCommentsAndNoLabelsOfHtml) {
  EXPECT_EQ(plain("graph { // {\n a /* { */--b # {\n}"), "graph { a --b }");
  EXPECT_EQ(plain("graph { a [label=<<b c=\"{\">x</b>\\>] -- b }"),
            "graph { a [label=\"<b c=&quot;{&quot;>x</b>&#92;\"] -- b }");
}

TEST(PlainDot, TokensStandInTheText) {
  EXPECT_THAT(dot_tokens("net.dot", "graph {a->\"b c\" -- n1.5//x\n;<x<y>>}"),
              ElementsAre("graph", "{", "a", "->", "\"b c\"", "--", "n1.5", ";", "<x<y>>", "}"));
}

TEST(PlainDot, OfGroupsIsEveryPair) {
  const Topology net = read("digraph g { a -> {b c}; b->a; c->a }");
  EXPECT_EQ(net.num_nodes(), 3U);
  EXPECT_EQ(net.num_arcs(), 4U);
  EXPECT_TRUE(read("digraph g { a -> subgraph {b c}; {b; c} -> a }").same_graph(net));
  EXPECT_EQ(read("graph { {a b} -- {c {d e}} }").num_arcs(), 12U);
  EXPECT_EQ(read("graph { a [label=<<b>x</b>>]; a -- b }").label(NodeId{0}), "<b>x</b>");
}

TEST(PlainDot, MistakesHaveLineAndColumn) {
  EXPECT_EQ(error_in("graph {\n  a -- {b c}  // {\n  b -> c\n}\n"),
            "net.dot:3:5: this is not DOT: Using -> in undirected graph\n    b -> c\n      ^~");
  EXPECT_THAT(error_in("digraph {\n  {a} -> {b c}\n  c -> ;\n  b -> a }"), StartsWith("net.dot:3:8: this"));
  EXPECT_THAT(error_in("digraph {\n  {a} -> {b c}\n"), StartsWith("net.dot:2:15: this is not DOT: "));
  EXPECT_THAT(error_in("graph { a -- b } x"),
              StartsWith("net.dot:1:18: this is not DOT: Wanted end of file"));
  EXPECT_THAT(error_in("graph {\n a = {b}\n}"), StartsWith("net.dot:2:6: this is not DOT: "));
  EXPECT_THAT(error_in("graph {\n a -- * b\n}"),
              StartsWith("net.dot:2:7: this is not DOT: Invalid character\n"));
  EXPECT_THAT(error_in("graph { a --\n \"b }"), StartsWith("net.dot:2:2: this text does not end"));
  EXPECT_THAT(error_in("graph { a -- b /* }"), StartsWith("net.dot:1:16: this comment does not end"));
  EXPECT_THAT(error_in("graph { a [label=<b }"), HasSubstr("net.dot:1:18: this HTML label does not end"));
  EXPECT_THAT(error_in(""), StartsWith("net.dot:1:1: this is not DOT: "));
}

}  // namespace graph_dot_plain_test
}  // namespace quadrille
