#include "quadrille/topology/graph_files/graph_rates.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace graph_rates_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Topology read(GraphFormat format, const std::string& content, const GraphReading& reading = {}) {
  return read_graph("net", "net.x", content, format, reading);
}
Topology read_list(const std::string& content, const GraphReading& reading = {}) {
  return read(GraphFormat::kEdgeList, content, reading);
}

std::string error_of(GraphFormat format, const std::string& content, const GraphReading& reading = {}) {
  try {
    (void)read(format, content, reading);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
std::string list_error(const std::string& content, const GraphReading& reading = {}) {
  return error_of(GraphFormat::kEdgeList, content, reading);
}

std::string spec_error(std::string_view spec) {
  try {
    (void)parse_topology(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

uint32_t capacity(const Topology& net, uint32_t from, uint32_t to) {
  return net.capacity(*net.find_arc(NodeId{from}, NodeId{to}));
}

TEST(GraphRates, CapacitiesAreTheRatiosOfBandwidths) {
  const Topology net = read_list("a b 100Gbit/s\nb c 400Gbit/s\n");
  EXPECT_EQ(capacity(net, 0, 1), 1U);
  EXPECT_EQ(capacity(net, 1, 0), 1U);
  EXPECT_EQ(capacity(net, 1, 2), 4U);
  const LinkRates* const rates = net.link_rates();
  ASSERT_NE(rates, nullptr);
  EXPECT_DOUBLE_EQ(rates->unit_bandwidth, 12500);
  EXPECT_DOUBLE_EQ(rates->bandwidth[index(*net.find_arc(NodeId{2}, NodeId{1}))], 50000);
  EXPECT_THAT(rates->latency, IsEmpty());
  EXPECT_FALSE(rates->rounded);
  // 25 and 10 have 5 in common; 0.1 and 0.3 are no binary fractions, and yet 1 to 3.
  const Topology mixed = read_list("a b 25Gbps\nb c 10Gbit/s\n");
  EXPECT_EQ(capacity(mixed, 0, 1), 5U);
  EXPECT_EQ(capacity(mixed, 1, 2), 2U);
  const Topology tenths = read_list("a b 0.1GB/s\nb c 3e-1GB/s\nc d 2.4Gbit/s\n");
  EXPECT_EQ(capacity(tenths, 0, 1), 1U);
  EXPECT_EQ(capacity(tenths, 1, 2), 3U);
  EXPECT_EQ(capacity(tenths, 2, 3), 3U);
}

TEST(GraphRates, ParallelLinksCarryTheirSumAndTakeTheLongerTime) {
  const Topology net = read_list("a b 100Gbit/s 1us\nb a 200Gbit/s 500ns\nb c 100Gbit/s 0us\n");
  EXPECT_EQ(capacity(net, 0, 1), 3U);
  const size_t arc = index(*net.find_arc(NodeId{0}, NodeId{1}));
  EXPECT_DOUBLE_EQ(net.link_rates()->bandwidth[arc], 37500);
  EXPECT_DOUBLE_EQ(net.link_rates()->latency[arc], 1);
  EXPECT_DOUBLE_EQ(net.link_rates()->slowest_latency(), 1);
  EXPECT_EQ(read_list("a b\nb c").link_rates(), nullptr);
}

TEST(GraphRates, AUnitThatIsGivenRoundsDown) {
  const GraphReading reading{.unit_bandwidth = "100Gbit/s"};
  const Topology net = read_list("a b 100Gbit/s\nb c 250Gbit/s\nc d 12.5GB/s\n", reading);
  EXPECT_EQ(capacity(net, 1, 2), 2U);
  EXPECT_EQ(capacity(net, 2, 3), 1U);
  EXPECT_TRUE(net.link_rates()->rounded);
  EXPECT_THAT(net.remarks(),
              ElementsAre("net.x: bandwidths that are no multiples of 100Gbit/s count as the next "
                          "lower one"));
  EXPECT_THAT(read_list("a b 200Gbit/s\nb c 400Gbit/s\n", reading).remarks(), IsEmpty());
  EXPECT_EQ(
      list_error("a b 100Gbit/s\nb c 40Gbit/s\n", reading),
      "net.x:2:1: the edge from b to c carries 40 Gbit/s, less than the 100 Gbit/s of capacity 1; give a "
      "unit of at most that\n  b c 40Gbit/s\n  ^");
  EXPECT_THAT(list_error("a b 2\nb c\n", reading), HasSubstr("no edge of net.x has a bandwidth"));
  EXPECT_THAT(list_error("a b 1TB/s\n", {.unit_bandwidth = "1bit/s"}), HasSubstr("give a larger unit"));
}

TEST(GraphRates, RatiosThatMakeNoSenseAreRefusedWithWhatToGiveInstead) {
  EXPECT_EQ(
      list_error("a b 99.7Gbit/s\nb c 400Gbit/s\n"),
      "net.x: all bandwidths, from 99.7 Gbit/s to 400 Gbit/s, are multiples of 100 Mbit/s only, so that "
      "capacities would go up to 4000; say what capacity 1 is, such as --unit '99.7 Gbit/s', and the "
      "others are rounded down to multiples of it");
  EXPECT_EQ(capacity(read_list("a b 99.7Gbit/s\nb c 400Gbit/s\n", {.unit_bandwidth = "99.7 Gbit/s"}), 1, 2),
            4U);
}

TEST(GraphRates, EveryFormatHasThem) {
  const Topology list = read_list("a b 100Gbit/s 2us\nb c 400Gbit/s 1us\n");
  for (const auto& [format, content] : {
           std::pair(GraphFormat::kGml,
                     "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] node [ id 2 label \"c\" ]\n"
                     "edge [ source 0 target 1 bandwidth \"100Gbit/s\" latency \"2us\" ]\n"
                     "edge [ source 1 target 2 bandwidth \"400 Gbit/s\" latency \"1000ns\" ] ]"),
           std::pair(
               GraphFormat::kDot,
               "graph { a -- b [bandwidth=\"100Gbit/s\", latency=\"2us\"]; b -- c [bandwidth=\"50GB/s\", "
               "latency=\"1us\"] }"),
           std::pair(
               GraphFormat::kGraphMl,
               "<graphml><key id='k' for='edge' attr.name='bandwidth'><default>100Gbit/s</default></key>\n"
               "<key id='l' for='edge' attr.name='latency'/><graph>\n"
               "<node id='a'/><node id='b'/><node id='c'/>"
               "<edge source='a' target='b'><data key='l'>2us</data></edge>\n"
               "<edge source='b' target='c'><data key='k'> 400Gbit/s </data><data key='l'>1us</data></edge>"
               "</graph></graphml>"),
           std::pair(GraphFormat::kEdgeList,
                     "a b {'bandwidth': '100Gbit/s', \"latency\": \"2us\"}\n"
                     "b c {'latency':'1us','bandwidth': '400Gbit/s'} # fast\n"),
           std::pair(GraphFormat::kEdgeList,
                     "a b latency=2us bandwidth=100Gbit/s\nb c color=red 400Gbit/s latency=1000ns\n"),
       }) {
    const Topology net = read(format, content);
    EXPECT_TRUE(net.same_graph(list)) << content;
    ASSERT_NE(net.link_rates(), nullptr) << content;
    EXPECT_EQ(net.link_rates()->bandwidth, list.link_rates()->bandwidth) << content;
    EXPECT_EQ(net.link_rates()->latency, list.link_rates()->latency) << content;
    EXPECT_THAT(net.remarks(), IsEmpty()) << content;
  }
}

TEST(GraphRates, PointsAtValuesThatAreNoBandwidthAndNoTime) {
  EXPECT_EQ(
      list_error("a b 1GB/s\nb c 0GB/s\n"),
      "net.x:2:5: this edge has bandwidth '0GB/s': it moves nothing; a bandwidth such as 100Gbit/s or 12.5GB/s "
      "is needed\n  b c 0GB/s\n      ^~~~~");
  EXPECT_THAT(list_error("a b -5GB/s"), HasSubstr("has bandwidth '-5GB/s': a bandwidth such as 100Gbit/s"));
  EXPECT_THAT(list_error("a b 5parsec/s"), HasSubstr("'parsec/s' is no unit of bandwidth"));
  EXPECT_THAT(list_error("a b {'bandwidth': 100}"),
              HasSubstr("net.x:1:19: this edge has bandwidth '100': without a unit it may be anything"));
  EXPECT_THAT(list_error("a b 1GB/s 2weeks"),
              HasSubstr("this edge has latency '2weeks': 'weeks' is no unit of time"));
  EXPECT_THAT(list_error("a b {'latency': 2}"),
              HasSubstr("has latency '2': without a unit it may be anything"));
  EXPECT_THAT(list_error("a b {'latency': -2}"), HasSubstr("has latency '-2'"));
  EXPECT_THAT(list_error("a b 99999999999TB/s"), HasSubstr("it is more than 10^18 bits a second"));
  EXPECT_THAT(list_error("a b 0.00000000000000001bit/s"), HasSubstr("it has too many digits"));
  EXPECT_THAT(list_error("a b 1GB/s 2GB/s"), HasSubstr("this edge has a bandwidth already"));
  EXPECT_THAT(list_error("a b 1GB/s 1us 2"), HasSubstr("an edge is two nodes and"));
  EXPECT_THAT(list_error("a b {'bandwidth' '1GB/s'}"), HasSubstr("net.x:1:18: attributes are written"));
  EXPECT_THAT(list_error("a b {'bandwidth': '1GB/s'"), HasSubstr("attributes are written"));
  EXPECT_THAT(list_error("a b {'bandwidth': '1GB"), HasSubstr("this text does not end"));
  EXPECT_THAT(list_error("a b {} c"), HasSubstr("its line ends"));
  EXPECT_EQ(
      error_of(GraphFormat::kGml,
               "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ]\n"
               "edge [ source 0 target 1 bandwidth 100 ] ]"),
      "net.x:2:36: the edge from a to b has bandwidth '100': without a unit it may be anything; a bandwidth "
      "such as 100Gbit/s or 12.5GB/s is needed\n"
      "  edge [ source 0 target 1 bandwidth 100 ] ]\n"
      "                                     ^~~");
  EXPECT_THAT(error_of(GraphFormat::kGml,
                       "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 latency [ a 1 ] ] ]"),
              HasSubstr("has a latency that is a list, not a text such as \"2us\""));
  EXPECT_THAT(error_of(GraphFormat::kDot, "graph { a -- b [bandwidth=fast] }"),
              HasSubstr("net.x: the edge from a to b has bandwidth 'fast': a bandwidth such as"));
  EXPECT_THAT(
      error_of(GraphFormat::kGraphMl,
               "<graphml><key id='k' for='edge' attr.name='bandwidth' attr.type='boolean'/><graph>\n"
               "<node id='a'/><node id='b'/>\n<edge source='a' target='b'><data key='k'>true</data></edge>"
               "</graph></graphml>"),
      HasSubstr("net.x:3:2: the edge from a to b has bandwidth 'true': a bandwidth such as"));
  // What was meant for a bandwidth.
  EXPECT_THAT(
      error_of(GraphFormat::kDot, "graph { a -- b [capacity=\"5GB/s\"] }"),
      HasSubstr("has capacity '5GB/s'; a whole number from 1 to 4294967295 is needed, and what has a unit is "
                "called bandwidth"));
}

TEST(GraphRates, AllLinksHaveThemOrNone) {
  EXPECT_EQ(
      list_error("a b 1GB/s\nb c 1GB/s\nc d\n"),
      "net.x:3:1: the edge from c to d has no bandwidth, and 2 of 3 edges have one; give a bandwidth to all of "
      "them, or to none\n  c d\n  ^");
  EXPECT_THAT(list_error("a b 1us\nb c speed=100G rail=1\n"),
              HasSubstr("or to none; what edges have besides means nothing here: rail, speed"));
  EXPECT_THAT(list_error("a b 1us\nb c\n"), HasSubstr("has no latency, and 1 of 2 edges have one"));
  EXPECT_THAT(list_error("a b 1GB/s\nb c 1GB/s 2\n"),
              HasSubstr("net.x:2:1: the edge from b to c has a capacity and"));
  // Latencies alone leave the capacities as they are; and a capacity by default is none that contradicts.
  const Topology timed = read_list("a b 2 3us\nb c 4us");
  EXPECT_EQ(capacity(timed, 0, 1), 2U);
  EXPECT_DOUBLE_EQ(timed.link_rates()->slowest_latency(), 4);
  EXPECT_DOUBLE_EQ(timed.link_rates()->unit_bandwidth, 0);
  const Topology by_default =
      read(GraphFormat::kGraphMl,
           "<graphml><key id='c' for='edge' attr.name='capacity' attr.type='int'><default>1</default></key>"
           "<key id='b' for='edge' attr.name='bandwidth'/><graph><node id='a'/><node id='b'/>"
           "<edge source='a' target='b'><data key='b'>1GB/s</data></edge></graph></graphml>");
  EXPECT_EQ(capacity(by_default, 0, 1), 1U);
}

TEST(GraphRoles, NodesAreSwitchesByAnAttributeOrByName) {
  const std::string spec = "file(\"" + source_path("testdata/graphs/pod.graphml") + "\"";
  const Topology net = parse_topology(spec + ";\"switches type=switch\")");
  EXPECT_EQ(net.name(), spec + ";\"switches type=switch\")");
  EXPECT_EQ(net.num_endpoints(), 4U);
  EXPECT_EQ(net.label(NodeId{4}), "leaf0");
  EXPECT_FALSE(net.rank(NodeId{4}).has_value());
  EXPECT_EQ(capacity(net, 4, 5), 4U);
  EXPECT_TRUE(net.same_graph(parse_topology(spec + ";\"switches leaf*\")")));
  EXPECT_TRUE(net.same_graph(parse_topology(spec + ";\"switches leaf0\",\"switches leaf?\")")));
  EXPECT_TRUE(net.same_graph(parse_topology(net.name())));
  // With a step of half the bandwidth all capacities are twice as many.
  const Topology fine = parse_topology(spec + ";\"switches *1\",\"unit 50Gbit/s\")");
  EXPECT_EQ(capacity(fine, 4, 5), 8U);
  EXPECT_EQ(fine.num_endpoints(), 4U);
  EXPECT_EQ(fine.name(), spec + ";\"switches *1\",\"unit 50Gbit/s\")");
  // Who is marked as no endpoint stays none.
  const std::string rack = "file(\"" + source_path("testdata/graphs/rack.gml") + "\";\"switches host2\")";
  EXPECT_EQ(parse_topology(rack).num_endpoints(), 2U);
  EXPECT_EQ(parse_topology("edges(\"a s, b s, c s\";\"switches s\")").num_endpoints(), 3U);
}

TEST(GraphRoles, SaysWhatSwitchesThereMightBe) {
  const std::string file = "file(\"" + source_path("testdata/graphs/pod.graphml") + "\"";
  EXPECT_THAT(spec_error(file + ";\"switches type=router\")"),
              AllOf(HasSubstr("switches 'type=router': no node of"),
                    HasSubstr("of type there are host (4), switch (2)")));
  EXPECT_THAT(spec_error(file + ";\"switches kind=router\")"),
              HasSubstr("has an attribute 'kind'; there are slot, type"));
  EXPECT_THAT(spec_error(file + ";\"switches spine*\")"),
              HasSubstr("is called so; give a name, as leaf1, a pattern"));
  EXPECT_THAT(spec_error("edges(\"a b\";\"switches x=y\")"),
              HasSubstr("no node of edges has an attribute 'x'; they"));
  EXPECT_THAT(spec_error("edges(\"a b\";\"switches ?\")"), HasSubstr("no endpoint of edges is left"));
  EXPECT_THAT(spec_error("edges(\"a b\";\"switch a\")"),
              HasSubstr("'switch a' says nothing of a graph; write"));
  EXPECT_THAT(spec_error("edges(\"a b\";switches)"), HasSubstr("is given in quotes"));
  EXPECT_THAT(spec_error("edges(\"a b\";\"unit 0GB/s\")"), HasSubstr("'0GB/s': it moves nothing"));
  EXPECT_THAT(spec_error("edges(\"a b 1GB/s\";\"unit 1GB/s\",\"unit 2GB/s\")"),
              HasSubstr("unit is said twice"));
  EXPECT_THAT(spec_error("edges(\"a b\";\"unit 1GB/s\")"),
              HasSubstr("topology:1:13: unit 1GB/s: it is what a link of capacity 1 carries"));
}

TEST(GraphRoles, RemarksOnWhatMeansNothing) {
  const std::string path = source_path("testdata/graphs/pod.graphml");
  EXPECT_THAT(
      parse_topology("file(\"" + path + "\")").remarks(),
      ElementsAre(path +
                  ": these attributes mean nothing here: of edges weight (2); of nodes slot (2), type (6)\n"
                  "  --switches type=switch makes 2 of 6 nodes routers, which only forward"));
  EXPECT_THAT(parse_topology("file(\"" + path + "\";\"switches type=switch\")").remarks(),
              ElementsAre(HasSubstr("of edges weight (2); of nodes slot (2)")));
  EXPECT_THAT(
      read(GraphFormat::kDot,
           "graph { a [kind=router, shape=box]; a -- b [weight=2, color=red]; b -- c [weight=1] }")
          .remarks(),
      ElementsAre(
          "net.x: these attributes mean nothing here: of edges weight (2); of nodes kind (1)\n"
          "  --switches kind=router makes 1 of 3 nodes routers, which only forward\n"
          "  a link says what it carries by capacity (such as 2) or bandwidth (such as 100Gbit/s), and "
          "how long it takes by latency (such as 2us)"));
  EXPECT_THAT(read_list("a b {'weight': 0.5, 'note': 'a # in it'}\nb c {}\n").remarks(),
              ElementsAre(HasSubstr("of edges note (1), weight (1)\n")));
  EXPECT_THAT(
      read(GraphFormat::kGml,
           "graph [ node [ id 0 type \"host\" graphics [ x 1 ] ] node [ id 1 ] edge [ source 0 target 1 ] ]")
          .remarks(),
      ElementsAre("net.x: these attributes mean nothing here: of nodes type (1)"));
}

TEST(GraphRoles, AnEndpointThatIsDeclaredAndNeverSetIsSaidSo) {
  const auto graph = [](std::string_view content) {
    return fmt::format(
        "<graphml><key id='e' for='node' attr.name='endpoint' attr.type='boolean'>{}</key><graph>"
        "<node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>",
        content);
  };
  EXPECT_EQ(read(GraphFormat::kGraphMl, graph("")).num_endpoints(), 2U);
  EXPECT_EQ(read(GraphFormat::kGraphMl, graph("<default/>")).num_endpoints(), 2U);
  EXPECT_EQ(read(GraphFormat::kGraphMl, graph("<default>true</default>")).num_endpoints(), 2U);
  EXPECT_EQ(
      error_of(GraphFormat::kGraphMl, graph("<default>false</default>")),
      "net.x: no node is an endpoint: 2 of 2 nodes have endpoint = false, by the default of its key, and none has "
      "endpoint = true; mark those that take part, or leave the attribute out, and all do");
}

TEST(GraphRates, StayWithTheLinksThatAreLeft) {
  const std::string spec = "edges(\"a b 1GB/s 1us, b c 2GB/s 2us, c a 4GB/s 3us\")";
  const Topology left = parse_topology("without(" + spec + ";\"link a b\")");
  ASSERT_NE(left.link_rates(), nullptr);
  EXPECT_DOUBLE_EQ(left.link_rates()->unit_bandwidth, 1000);
  EXPECT_THAT(left.link_rates()->bandwidth, ElementsAre(4000, 2000, 4000, 2000));
  EXPECT_THAT(left.link_rates()->latency, ElementsAre(3, 2, 3, 2));
  EXPECT_EQ(capacity(left, 2, 0), 4U);
}

TEST(GraphReader, NamesTwoEndpointsThatAreNotConnected) {
  EXPECT_THAT(spec_error("edges(\"a s, b t, s x, t y\";\"switches s\",\"switches t\")"),
              HasSubstr("is not connected: node b cannot be reached from node a"));
  // Node 0 is a switch, and so is the first that it does not reach.
  EXPECT_THAT(spec_error("edges(\"a h, b k\";\"switches a\",\"switches b\")"),
              HasSubstr("node k cannot be reached from node h"));
}

}  // namespace graph_rates_test
}  // namespace quadrille
