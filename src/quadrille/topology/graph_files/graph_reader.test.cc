#include "quadrille/topology/graph_files/graph_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/complete_facts.h"
#include "quadrille/topology/graph_files/graph_tables.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace graph_reader_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string data(std::string_view name) { return source_path("testdata/graphs/").append(name); }

Topology from_file(std::string_view name) { return parse_topology("file(\"" + data(name) + "\")"); }

std::string error_of(GraphFormat format, const std::string& content) {
  try {
    (void)read_graph("net", "net.x", content, format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GraphReader, KnowsAFormatByItsEndingHoweverItIsWritten) {
  EXPECT_EQ(graph_format("dgx8.GML"), GraphFormat::kGml);
  EXPECT_EQ(graph_format("a.b.GraphML"), GraphFormat::kGraphMl);
  EXPECT_EQ(graph_format("net.Edges"), GraphFormat::kEdgeList);
  EXPECT_THROW((void)graph_format("net.DOC"), InputError);
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
  EXPECT_THAT(facts.searched, ::testing::ElementsAre("diameter", "average distance", "total distance",
                                                     "bisection", "node symmetry"));
}

TEST(GraphReader, AddsUpParallelEdges) {
  const Topology net = read_graph("net", "net", "a b\nb a 3 # again\n\n", GraphFormat::kEdgeList);
  EXPECT_EQ(net.num_arcs(), 2U);
  EXPECT_EQ(net.capacity(ArcId{0}), 4U);
  EXPECT_EQ(net.capacity(ArcId{1}), 4U);
}

// As networkx writes grids.
TEST(GraphReader, TuplesInEdgeListsAreNamesAndAttributesHaveTheirs) {
  const Topology grid = read_graph("grid", "grid",
                                   "(0, 0) (1, 0) {}\n(0, 0) (0, 1) {}\n(1,0) (1, 1) {'capacity': 3}\n"
                                   "( 0, 1 ) (1, 1) 2\n(0, 0) tail\n",
                                   GraphFormat::kEdgeList);
  EXPECT_EQ(grid.num_nodes(), 5U);
  EXPECT_EQ(grid.num_arcs(), 10U);
  EXPECT_EQ(grid.label(NodeId{0}), "(0,0)");
  EXPECT_EQ(grid.capacity(*grid.find_arc(NodeId{2}, NodeId{3})), 3U);
  EXPECT_EQ(grid.capacity(*grid.find_arc(NodeId{1}, NodeId{3})), 2U);
  const Topology named = read_graph("named", "named", "a b capacity=2 rail=7\n", GraphFormat::kEdgeList);
  EXPECT_EQ(named.capacity(ArcId{0}), 2U);
  ASSERT_EQ(named.remarks().size(), 1U);
  EXPECT_THAT(named.remarks()[0], ::testing::HasSubstr("rail"));
  const Topology open = read_graph("open", "open", "(a b\nb c) 2\n", GraphFormat::kEdgeList);
  EXPECT_EQ(open.num_nodes(), 3U);
}

TEST(GraphReader, TakesEdgesBetweenCommas) {
  const Topology net =
      read_graph("net", "net", "# lab\na,s,10Gbit/s,2us\nb, s, 40Gbit/s, 1us\n", GraphFormat::kEdgeList);
  EXPECT_EQ(net.num_nodes(), 3U);
  EXPECT_EQ(net.label(NodeId{2}), "s");
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{1}, NodeId{2})), 4U);
  const Topology names = read_graph("net", "net", "0,1 0,2 3\n", GraphFormat::kEdgeList);
  EXPECT_EQ(names.label(NodeId{0}), "0,1");
  const Topology blanks =
      read_graph("net", "net", "a , b , 3\nb ,c\nc,d,2 ,\r\nd,a,,\n,,,\n", GraphFormat::kEdgeList);
  EXPECT_EQ(blanks.num_nodes(), 4U);
  EXPECT_EQ(blanks.capacity(*blanks.find_arc(NodeId{0}, NodeId{1})), 3U);
  EXPECT_EQ(blanks.capacity(*blanks.find_arc(NodeId{2}, NodeId{3})), 2U);
}

TEST(GraphReader, TakesTablesOfEdgesWithAHeader) {
  const auto read = [](const std::string& text) {
    return read_graph("g", "g.csv", text, GraphFormat::kEdgeList);
  };
  const Topology rated = read("source,target,bandwidth,latency\na,b,100Gbit/s,1us\nb,c,200Gbit/s,1us\n");
  EXPECT_EQ(rated.num_nodes(), 3U);
  EXPECT_EQ(rated.capacity(*rated.find_arc(NodeId{1}, NodeId{2})), 2U);
  EXPECT_TRUE(rated.same_graph(read("Bandwidth, Dst, Src\n100Gbit/s, b, a\n200Gbit/s, c, b\n")));
  EXPECT_TRUE(rated.same_graph(read("from to capacity\na b 1\nb c 2\n")));
  EXPECT_EQ(read("from,to\na,b\n").num_nodes(), 2U);
  const auto error = [&](const std::string& text) { return quadrille::error_of([&] { (void)read(text); }); };
  EXPECT_THAT(error("source,target,capacity\na,b\n"),
              HasSubstr("this line has 2 fields, and the header names 3"));
  EXPECT_THAT(error("source,target,capacity\na,,2\n"), HasSubstr("the field 'target' is empty"));
  EXPECT_THAT(error("source,target,from\na,b,c\n"), HasSubstr("one column for where an edge begins"));
  EXPECT_THAT(error("source,target,x,x\na,b,1,2\n"), HasSubstr("two columns are called 'x'"));
}

TEST(GraphReader, FieldsOfATableMayBeQuoted) {
  const auto read = [](const std::string& text) {
    return read_graph("net", "net.x", text, GraphFormat::kEdgeList);
  };
  for (const std::string_view form :
       {"source,target,capacity\n\"x, y\",\"q\"\"r#\",2\n\"q\"\"r#\" , \"x, y\" , \"3\"  # twice\n",
        "\"x, y\",\"q\"\"r#\",2\n\"q\"\"r#\",\"x, y\",3\n",
        "Source;\"Target\";Capacity\n\"x, y\";\"q\"\"r#\";2\n\n;;\nx, y;\"q\"\"r#\";3\n"}) {
    const Topology net = read(std::string(form));
    ASSERT_EQ(net.num_nodes(), 2U) << form;
    EXPECT_EQ(net.label(NodeId{0}), "q\"r#") << form;
    EXPECT_EQ(net.label(NodeId{1}), "x, y") << form;
    EXPECT_EQ(net.capacity(ArcId{0}), 5U) << form;
  }
  // A quote within a field is only a sign.
  EXPECT_EQ(read("source,target\na\"b,c\n").label(NodeId{0}), "a\"b");
  const auto error = [](const std::string& text) { return error_of(GraphFormat::kEdgeList, text); };
  EXPECT_THAT(error("source,target\n\"a,b\n"), HasSubstr("net.x:2:1: this line has 1 field"));
  EXPECT_THAT(error("source,target\na,\"b\n"), HasSubstr("net.x:2:3: this text does not end"));
  EXPECT_THAT(error("source,target\na,\"b\"c\n"), HasSubstr("net.x:2:3: this text does not end"));
  EXPECT_THAT(error("source,target,capacity\na,b,\"\"\"2\"\n"),
              HasSubstr("net.x:2:1: this edge has capacity"));
  EXPECT_THAT(error("a;b;2\n"), HasSubstr("net.x:1:1: between the fields of an edge are blanks or commas"));
}

TEST(GraphReader, PointsAtMistakesInEdgeLists) {
  EXPECT_EQ(
      error_of(GraphFormat::kEdgeList, "a b\nb c zero\n"),
      "net.x:2:5: what is 'zero'? behind the two nodes of an edge stand a capacity (a whole number, such as 2), or a "
      "bandwidth (such as 100Gbit/s) and a latency (such as 2us)\n"
      "  b c zero\n"
      "      ^~~~");
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a -- b"), HasSubstr("net.x:1:6: what is 'b'?"));
  for (const char* missing : {"a,,3", ",b,3", "a,", "a , , 3"})
    EXPECT_THAT(error_of(GraphFormat::kEdgeList, missing), HasSubstr("net.x:1:1: an edge is two nodes"))
        << missing;
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b 100G"), HasSubstr("a bandwidth (such as 100Gbit/s)"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b\n  a\n"), HasSubstr("net.x:2:3: an edge is two nodes"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b c d e"), HasSubstr("an edge is two nodes"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a a"), HasSubstr("node a is linked to itself"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b 0"), HasSubstr("has capacity '0'"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b 99999999999999999999999"),
              HasSubstr("a whole number from 1"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "# nothing\n"), HasSubstr("net.x has no nodes"));
  EXPECT_THAT(error_of(GraphFormat::kEdgeList, "a b\nc d"), HasSubstr("node c cannot be reached"));
}

TEST(GraphReader, SaysWhatIsWrongWithOtherFiles) {
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, ""), HasSubstr("net.x is empty"));
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, "<graphml><graph"),
              HasSubstr("net.x:1:15: this is not GraphML"));
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, "hello"), HasSubstr("this is not GraphML"));
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, "<graphml/>"),
              HasSubstr("net.x:1:2: this is not GraphML: it has no graph"));
  EXPECT_THAT(error_of(GraphFormat::kGml, "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]"),
              HasSubstr("net.x:1:46: this edge has a node 2 that the file does not list"));
  EXPECT_THAT(error_of(GraphFormat::kGml, "graph ["),
              HasSubstr("net.x:1:8: this is not GML: the file ends before a list does"));
  EXPECT_THAT(error_of(GraphFormat::kGml,
                       "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 capacity 1.5 ] ]"),
              HasSubstr("has capacity '1.5'"));
  EXPECT_THAT(error_of(GraphFormat::kGml, "graph [ node [ id 1 ] edge [ source 1 target 1 ] ]"),
              HasSubstr("node 1 is linked to itself"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a -- "), HasSubstr("net.x:1:13: this is not DOT: Wanted"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "digraph { a -> b -> "),
              HasSubstr("net.x:1:20: this is not DOT: Wanted"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "digraph { a -> b# -> a }"),
              HasSubstr("net.x:1:17: this is not DOT"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a -> b }"),
              HasSubstr("net.x:1:11: this is not DOT: Using -> in undirected graph\n"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a; b }"), HasSubstr("not connected"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "digraph { a -> b }"), HasSubstr("cannot be reached"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a [endpoint=maybe]; a -- b }"),
              HasSubstr("node a has endpoint 'maybe'; true, false, 1 or 0"));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a [endpoint=0]; a -- b }"),
              HasSubstr("no node is an endpoint: 1 of 2 nodes have endpoint = false, and none"));
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

TEST(GraphReader, ReadsWhatGraphMlAllows) {
  // Keys of any name and type, name spaces, entities, edges before nodes, and what is none of ours.
  const Topology net = read_graph("net", "net.x", R"(<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE g:graphml>
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
  <g:key id="speed" for="edge" attr.name="capacity" attr.type="double"><g:default> 2.0 </g:default></g:key>
  <g:key id="l" for="node" attr.name="label" attr.type="string"/>
  <g:key id="n" for="all" attr.name="name" attr.type="int"/>
  <g:key id="endpoint" for="node"/>
  <g:graph edgedefault="directed">
    <g:edge source="a&amp;b" target="c"/>
    <g:node id="a&amp;b"><g:data key="l">&lt;first&gt;</g:data><g:data key="endpoint">True</g:data></g:node>
    <g:node id="c"><g:port name="p"/><g:data key="n">7</g:data><g:data key="endpoint">1</g:data></g:node>
    <g:node id="d"><g:data key="other">x</g:data></g:node>
    <g:edge source="c" target="d" sourceport="p"><g:data key="speed">3</g:data></g:edge>
    <g:edge source="d" target="a&amp;b"><g:data key="speed"></g:data></g:edge>
  </g:graph>
</g:graphml>)",
                                  GraphFormat::kGraphMl);
  EXPECT_TRUE(net.is_directed());
  EXPECT_EQ(net.label(NodeId{0}), "<first>");
  EXPECT_EQ(net.label(NodeId{1}), "7");
  EXPECT_EQ(net.label(NodeId{2}), "d");
  EXPECT_EQ(net.num_endpoints(), 2U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{0}, NodeId{1})), 2U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{1}, NodeId{2})), 3U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{2}, NodeId{0})), 1U);
}

TEST(GraphReader, SaysWhereGraphMlIsWrong) {
  const auto error = [](std::string_view body, std::string_view key = "") {
    return error_of(
        GraphFormat::kGraphMl,
        fmt::format("<graphml>{}<graph edgedefault=\"undirected\">\n{}\n</graph></graphml>", key, body));
  };
  EXPECT_THAT(error("<node/>"), HasSubstr("net.x:2:2: this is not GraphML: this node has no id"));
  EXPECT_THAT(error("<node id='a'/><node id='a'/>"),
              HasSubstr("net.x:2:16: this is not GraphML: there is a node 'a'"));
  EXPECT_THAT(error("<node id='a'/><edge source='a'/>"), HasSubstr("this edge has no target"));
  EXPECT_THAT(error("<node id='a'></edge>"), HasSubstr("net.x:2:"));
  const std::string_view number = "<key id='c' for='edge' attr.name='capacity' attr.type='int'/>";
  const std::string_view flag = "<key id='c' for='edge' attr.name='capacity' attr.type='boolean'/>";
  const std::string_view edge =
      "<node id='a'/><node id='b'/><edge source='a' target='b'><data key='c'>{}</data></edge>";
  EXPECT_THAT(error(fmt::format(fmt::runtime(edge), "wide"), number),
              HasSubstr("its capacity is 'wide', which is not"));
  EXPECT_THAT(error(fmt::format(fmt::runtime(edge), "1.5"), number), HasSubstr("has capacity '1.5'"));
  EXPECT_THAT(error(fmt::format(fmt::runtime(edge), "true"), flag),
              HasSubstr("a capacity that is not a number"));
  // In UTF-16 nothing can be pointed at, but all is read.
  const std::string text = "<graphml><graph><node id='a'/><edge source='a' target='b'/></graph></graphml>";
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += std::string{c, '\0'};
  EXPECT_THAT(error_of(GraphFormat::kGraphMl, wide), HasSubstr("a node 'b' that the file does not list"));
}

TEST(GraphReader, ReadsWhatGmlAllows) {
  const Topology net = read_graph("net", "net.x", R"(# made by hand
Creator "me & you" Version 1
graph [
  comment "a list ] in a text" directed 1
  node [ id -1 label "say &quot;a&quot;" graphics [ x 1.5 fill [ rgb 7 ] ] ]
  edge [ source +2 target -1 capacity "3" ]
  node [id 2 label 5.0]
  edge[source -1 target 2 capacity 2.0E0]
]
graph [ node [ id 9 ] ]
)",
                                  GraphFormat::kGml);
  EXPECT_EQ(net.num_arcs(), 2U);
  EXPECT_EQ(net.num_nodes(), 2U);
  EXPECT_EQ(net.label(NodeId{0}), "say \"a\"");
  EXPECT_EQ(net.label(NodeId{1}), "5");
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{0}, NodeId{1})), 2U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{1}, NodeId{0})), 3U);
}

TEST(GraphReader, SaysWhereGmlIsWrong) {
  const auto error = [](const std::string& content) { return error_of(GraphFormat::kGml, content); };
  EXPECT_THAT(error("Version 1"), HasSubstr("net.x:1:1: this is not GML: it has no graph"));
  EXPECT_THAT(error("graph 5"), HasSubstr("net.x:1:1: this is not GML: after graph a list in brackets"));
  EXPECT_THAT(error("graph [ node [ label \"a\" ] ]"),
              HasSubstr("net.x:1:9: this is not GML: this node has no id"));
  EXPECT_THAT(error("graph [ node [ id 1 ]\nnode [ id 1 ] ]"),
              HasSubstr("net.x:2:11: this is not GML: there is a node 1"));
  EXPECT_THAT(error("graph [ node [ id x ] ]"),
              HasSubstr("net.x:1:19: this is not GML: a number, a text in quotes"));
  EXPECT_THAT(error("graph [ node [ id 1.5 ] ]"), HasSubstr("the id is a whole number"));
  EXPECT_THAT(error("graph [ node [ id 1 label \"a ] ]"),
              HasSubstr("net.x:1:27: this is not GML: this text does not end"));
  EXPECT_THAT(error("graph [ directed \"no\" ]"), HasSubstr("directed is 0 or 1"));
  EXPECT_THAT(error("graph [ 7 ]"), HasSubstr("a key is expected here"));
  EXPECT_THAT(error("graph [ node [ id 1 ] edge [ source 1 ] ]"), HasSubstr("this edge has no target"));
  std::string deep = "graph [ a ";
  for (int i = 0; i < 100000; ++i) deep += "[ a ";
  EXPECT_THAT(error(deep), HasSubstr("the file ends"));
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
  EXPECT_THAT(error_of(GraphFormat::kDot, repeated("{<}>")), HasSubstr("nested too deeply"));
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
  EXPECT_THAT(spec_error("file(\"" + source_path("testdata/graphs/no.dot") + "\")"),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(spec_error("product(ring(3),file(\"missing.gml\"))"),
              AllOf(HasSubstr("topology:1:22: cannot read 'missing.gml'"),
                    HasSubstr("\n                       ^~~~~~~~~~~~~")));
  EXPECT_THAT(spec_error("file(\"net.doc\")"), HasSubstr("names no graph format; known are .graphml"));
  EXPECT_THAT(spec_error("file(net)"), HasSubstr("a file is named in quotes"));
  EXPECT_THAT(spec_error("file()"), HasSubstr("file takes 1 argument here, not 0"));
}

}  // namespace graph_reader_test
}  // namespace quadrille
