#include "quadrille/topology/graph_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/complete_facts.h"
#include "quadrille/topology/graph_tables.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string data(std::string_view name) {
  return std::string(QUADRILLE_SOURCE_DIR "/testdata/graphs/").append(name);
}

Topology from_file(std::string_view name) { return parse_topology("file(\"" + data(name) + "\")"); }

std::string error_of(GraphFormat format, const std::string& content) {
  try {
    (void)read_graph("net", "net.x", content, format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GraphReader, ReadsTheSameGraphFromEveryFormatWithAttributes) {
  const Topology net = from_file("rack.graphml");
  EXPECT_EQ(net.num_nodes(), 5U);
  EXPECT_EQ(net.num_arcs(), 8U);
  EXPECT_EQ(net.num_endpoints(), 3U);
  EXPECT_EQ(net.label(NodeId{3}), "leaf0");
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{3}, NodeId{4})), 2U);
  EXPECT_FALSE(net.is_directed());
  for (const std::string_view other : {"rack.gml", "rack.dot"}) {
    const Topology same = from_file(other);
    EXPECT_TRUE(same.same_graph(net)) << other;
    EXPECT_EQ(same.label(NodeId{4}), "leaf1") << other;
  }
}

TEST(GraphReader, ReadsDirectedGraphsAndSortsNamesByTheirNumbers) {
  const Topology net = from_file("one_way.dot");
  EXPECT_TRUE(net.is_directed());
  EXPECT_EQ(net.num_arcs(), 4U);
  EXPECT_EQ(net.label(NodeId{2}), "n10");
  EXPECT_TRUE(natural_less("n2", "n10"));
  EXPECT_TRUE(natural_less("2", "10"));
  EXPECT_FALSE(natural_less("10", "2"));
  EXPECT_TRUE(natural_less("01", "1") != natural_less("1", "01"));
  EXPECT_FALSE(natural_less("a", "a"));
}

TEST(GraphReader, FindsTheFactsOfAFileBySearch) {
  const std::string spec = "file(\"" + data("petersen.edges") + "\")";
  const TopologyFacts facts = complete_facts(parse_spec(spec, "test"));
  EXPECT_EQ(facts.spec, spec);
  EXPECT_EQ(to_string(*facts.diameter), "2");
  EXPECT_EQ(to_string(*facts.max_status), "15");
  EXPECT_EQ(facts.average_distance()->to_string(), "5/3");
  EXPECT_EQ(facts.node_symmetric, std::optional<bool>(true));
  EXPECT_EQ(to_string(facts.bisection->capacity), "5");
  EXPECT_TRUE(facts.bisection->proved);
  EXPECT_THAT(facts.searched,
              testing::ElementsAre("diameter", "average distance", "status", "bisection", "node symmetry"));
}

TEST(GraphReader, AddsUpParallelEdges) {
  const Topology net = read_graph("net", "net", "a b\nb a 3 # again\n\n", GraphFormat::kEdgeList);
  EXPECT_EQ(net.num_arcs(), 2U);
  EXPECT_EQ(net.capacity(ArcId{0}), 4U);
  EXPECT_EQ(net.capacity(ArcId{1}), 4U);
}

TEST(GraphReader, PointsAtMistakesInEdgeLists) {
  EXPECT_EQ(error_of(GraphFormat::kEdgeList, "a b\nb c zero\n"),
            "net.x:2:5: this edge has capacity 'zero'; a whole number from 1 to 4294967295 is needed\n"
            "  b c zero\n"
            "      ^~~~");
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b\n  a\n"), HasSubstr("net.x:2:3: an edge is two nodes"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b c d"), HasSubstr("an edge is two nodes"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a a"), HasSubstr("node a is linked to itself"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b 0"), HasSubstr("has capacity '0'"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b 99999999999999999999999"),
              HasSubstr("a whole number from 1"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "# nothing\n"), HasSubstr("net.x has no nodes"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b\nc d"), HasSubstr("node c cannot be reached"));
}

TEST(GraphReader, SaysWhatIsWrongWithOtherFiles) {
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, ""), HasSubstr("net.x is empty"));
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, "<graphml><graph"), HasSubstr("net.x is not GraphML"));
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, "hello"), HasSubstr("net.x is not GraphML"));
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, "<graphml/>"), HasSubstr("net.x"));
  EXPECT_THAT(error_of(GraphFormat::kGml, "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]"),
              HasSubstr("net.x is not GML"));
  EXPECT_THAT(error_of(GraphFormat::kGml, "graph ["), HasSubstr("net.x is not GML"));
  EXPECT_THAT(error_of(GraphFormat::kGml,
                       "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 capacity 1.5 ] ]"),
              HasSubstr("has capacity '1.5'"));
  EXPECT_THAT(error_of(GraphFormat::kGml, "graph [ node [ id 1 ] edge [ source 1 target 1 ] ]"),
              HasSubstr("node 1 is linked to itself"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a -- "), HasSubstr("net.x is not DOT"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "digraph { a -> b -> "), HasSubstr("net.x is not DOT"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "digraph { a -> b# -> a }"), HasSubstr("net.x is not DOT"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a -> b }"), HasSubstr("net.x is not DOT"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a; b }"), HasSubstr("not connected"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "digraph { a -> b }"), HasSubstr("cannot be reached"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a [endpoint=maybe]; a -- b }"),
              HasSubstr("node a has endpoint 'maybe'; true, false, 1 or 0"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a [endpoint=0]; a -- b }"),
              HasSubstr("marks no node as endpoint"));
}

TEST(GraphReader, RefusesAnEdgeToANodeThatIsNotListed) {
  const auto graphml = [](std::string_view body) {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<graphml>\n<graph edgedefault=\"undirected\">\n{}</graph></graphml>\n",
        body);
  };
  EXPECT_EQ(
      error_of(GraphFormat::kGraphMl, graphml("<node id=\"a\"/>\n<edge source=\"a\" target=\"zz\"/>\n")),
      "net.x:5:26: this edge has a node 'zz' that the file does not list\n"
      "  <edge source=\"a\" target=\"zz\"/>\n"
      "                           ^~");
  // Comments list nothing; the order of attributes, quotes and name spaces do not matter.
  EXPECT_THAT(error_of(GraphFormat::kGraphMl,
                       graphml("<node id='a'/><!-- <node id='b'/> --><edge target='b' source='a'/>")),
              HasSubstr("a node 'b' that the file does not list"));
  const std::string good = graphml(
      "<edge target = 'b>' id=\"source='x'\" source='a'/><node\n id='a'></node><node id=\"b>\"/><edge "
      "source='b>' target='a'/>");
  EXPECT_EQ(read_graph("net", "net", good, GraphFormat::kGraphMl).num_nodes(), 2U);
}

TEST(GraphReader, DoesNotFollowBracesForEver) {
  const auto repeated = [](std::string_view part) {
    std::string out = "graph ";
    for (int i = 0; i < 100000; ++i) out += part;
    return out;
  };
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{")), HasSubstr("nested too deeply; at most 100"));
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{a->")), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{\"}\\\"}\"")), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{//}\n")), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{/*}*/")), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{<}>")), HasSubstr("'<' outside of quotes is not read"));
  std::string wide = "graph {";
  for (int i = 0; i < 300; ++i) wide += fmt::format(" n{} -- subgraph {{n{}}}", i, i + 1);
  EXPECT_EQ(read_graph("net", "net", wide + "}", GraphFormat::kDot).num_nodes(), 301U);
}

TEST(GraphReader, PointsAtTheFileInTheSpec) {
  const auto spec_error = [](std::string_view spec) {
    try {
      (void)parse_topology(spec);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(spec_error("file(\"missing.gml\")"),
              AllOf(HasSubstr("topology:1:6: "), HasSubstr("missing.gml")));
  EXPECT_THAT(spec_error("file(\"" QUADRILLE_SOURCE_DIR "/testdata/graphs/no.dot\")"),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(spec_error("product(ring(3),file(\"missing.gml\"))"),
              AllOf(HasSubstr("topology:1:22: cannot read 'missing.gml'"),
                    HasSubstr("\n                       ^~~~~~~~~~~~~")));
  EXPECT_THAT(spec_error("file(\"net.doc\")"), HasSubstr("names no graph format; known are .graphml"));
  EXPECT_THAT(spec_error("file(net)"), HasSubstr("a file is named in quotes"));
  EXPECT_THAT(spec_error("file()"), HasSubstr("file takes 1 argument here, not 0"));
}

}  // namespace
}  // namespace quadrille
