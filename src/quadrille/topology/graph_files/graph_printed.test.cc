// Node-link JSON, METIS, and what ibnetdiscover and nvidia-smi print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/files.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/link_rates.h"

namespace quadrille::graph_printed_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string sample(const std::string& name) { return read_file(source_path("testdata/graphs/" + name)); }

Topology read(const std::string& name, const GraphReading& reading = {}) {
  const std::string content = sample(name);
  return read_graph(name, name, content, graph_format(name, content), reading);
}

Topology from(const std::string& content) {
  return read_graph("net", "net", content, graph_format("-", content));
}

uint32_t capacity(const Topology& net, uint32_t a, uint32_t b) {
  const auto arc = net.find_arc(NodeId{a}, NodeId{b});
  return arc ? net.capacity(*arc) : 0;
}

TEST(GraphPrinted, AFabricHasAdaptersAndSwitchesAndTheSpeedsOfItsCables) {
  const Topology net = read("fabric.txt");
  ASSERT_EQ(net.num_nodes(), 5U);
  EXPECT_EQ(net.num_endpoints(), 3U);
  EXPECT_EQ(net.label(NodeId{0}), "MF0;leaf-1:SB7800/U1");
  EXPECT_EQ(net.label(NodeId{4}), "node03 HCA-1");
  EXPECT_FALSE(net.rank(NodeId{0}));
  EXPECT_EQ(capacity(net, 0, 1), 2U) << "two cables of 100 Gbit/s";
  EXPECT_EQ(capacity(net, 1, 4), 2U) << "one of 200";
  EXPECT_EQ(capacity(net, 0, 2), 1U);
  ASSERT_NE(net.link_rates(), nullptr);
  EXPECT_EQ(net.link_rates()->unit_bandwidth, 12500);
  EXPECT_TRUE(net.remarks().empty());
}

TEST(GraphPrinted, PortsOfOneNameAreToldApart) {
  std::string text = sample("fabric.txt");
  for (size_t at = text.find("node02"); at != std::string::npos; at = text.find("node02"))
    text.replace(at, 6, "node01");
  const Topology net = from(text);
  EXPECT_EQ(net.label(NodeId{2}), "node01 HCA-1 H-0002c90300b10000");
  EXPECT_EQ(net.label(NodeId{3}), "node01 HCA-1 H-0002c90300b20000");
}

TEST(GraphPrinted, NvlinksAreLinksAndPcieIsLeftOutWhereTheyReachAll) {
  const Topology net = read("dgx1.txt");
  ASSERT_EQ(net.num_nodes(), 8U);
  EXPECT_EQ(net.num_arcs(), 32U);
  EXPECT_EQ(capacity(net, 0, 3), 2U);
  EXPECT_EQ(capacity(net, 0, 1), 1U);
  EXPECT_EQ(capacity(net, 0, 5), 0U);
  EXPECT_THAT(net.remarks(), ElementsAre(HasSubstr("12 pairs of GPUs have no NVLink")));
}

TEST(GraphPrinted, MoreNvlinksThanAGpuHasLeadToASwitch) {
  const Topology net = read("nvswitch.txt");
  ASSERT_EQ(net.num_nodes(), 9U);
  EXPECT_EQ(net.label(NodeId{8}), "NVSwitch");
  EXPECT_EQ(net.num_endpoints(), 8U);
  EXPECT_EQ(capacity(net, 7, 8), 12U);
  EXPECT_THAT(net.remarks(), ElementsAre(HasSubstr("taken to lead to a switch")));
  // Four GPUs with four links to each other have their twelve.
  const Topology four = from(
      "\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\tX\tNV4\tNV4\tNV4\nGPU1\tNV4\tX\tNV4\tNV4\nGPU2\tNV4\tNV4\tX\tNV4\nGPU3\tNV4\tNV4\tNV4\tX\n");
  EXPECT_EQ(four.num_nodes(), 4U);
  EXPECT_EQ(capacity(four, 0, 3), 4U);
  EXPECT_EQ(from("\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\nGPU1\tX\tX\n").num_arcs(), 2U)
      << "behind the table";
}

TEST(GraphPrinted, PathsOverPcieAreATree) {
  const Topology net = read("pcie.txt");
  EXPECT_EQ(net.num_endpoints(), 8U);
  ASSERT_EQ(net.num_nodes(), 15U);
  EXPECT_EQ(net.label(NodeId{8}), "PCIe switch 0");
  EXPECT_EQ(net.label(NodeId{14}), "machine 6");
  EXPECT_EQ(capacity(net, 0, 8), 1U);
  EXPECT_EQ(capacity(net, 1, 8), 1U);
  EXPECT_EQ(capacity(net, 8, 12), 1U);
}

TEST(GraphPrinted, MetisListsNeighbours) {
  const Topology net = read("manual.metis");
  EXPECT_EQ(net.num_nodes(), 7U);
  EXPECT_EQ(net.num_arcs(), 22U);
  EXPECT_EQ(capacity(net, 0, 4), 1U);
  EXPECT_EQ(net.label(NodeId{0}), "1");
  EXPECT_THAT(net.remarks(), ElementsAre(HasSubstr("of edges weight (11)")));
}

TEST(GraphPrinted, NodeLinkJsonHasLinksOrEdges) {
  const Topology net = read("pod.json", {.switches = {"type=switch"}});
  EXPECT_EQ(net.num_endpoints(), 2U);
  EXPECT_EQ(net.label(NodeId{0}), "leaf0");
  EXPECT_EQ(capacity(net, 0, 2), 2U);
  EXPECT_THAT(net.remarks(), ElementsAre(HasSubstr("weight")));
  std::string text = sample("pod.json");
  text.replace(text.find("\"links\""), 7, "\"edges\"");
  EXPECT_EQ(from(text).num_arcs(), 4U);
  EXPECT_TRUE(
      from(
          R"({"directed": true, "nodes": [{}, {"endpoint": true}], "links": [{"source": 0, "target": 1, "capacity": 3},
                     {"source": 1, "target": 0}]})")
          .same_graph([] {
            TopologyBuilder builder("x", 2);
            builder.arc(NodeId{0}, NodeId{1}, 3);
            builder.arc(NodeId{1}, NodeId{0});
            builder.endpoints({NodeId{1}});
            return builder.build();
          }()));
}

TEST(GraphPrinted, TheContentSaysWhatAFileIs) {
  EXPECT_EQ(graph_format("-", "a b\n"), GraphFormat::kEdgeList);
  EXPECT_EQ(graph_format("-", "# x\n\ngraph {\n"), GraphFormat::kDot);
  EXPECT_EQ(graph_format("-", "graph [\n"), GraphFormat::kGml);
  EXPECT_EQ(graph_format("-", "<?xml"), GraphFormat::kGraphMl);
  EXPECT_EQ(graph_format("-", " {\"nodes\""), GraphFormat::kNodeLink);
  EXPECT_EQ(graph_format("fabric", sample("fabric.txt")), GraphFormat::kIbnetdiscover);
  EXPECT_EQ(graph_format("x.log", sample("dgx1.txt")), GraphFormat::kNvidiaSmi);
  EXPECT_EQ(graph_format("x.txt", "graph node\n"), GraphFormat::kDot);
  EXPECT_EQ(graph_format("x.edges", "graph node\n"), GraphFormat::kEdgeList);
  EXPECT_THAT(error_of([] { (void)graph_format("x.log", "a b\n"); }), HasSubstr("names no graph format"));
  EXPECT_THAT(error_of([] { (void)graph_format("folder.d/log", "a b\n"); }),
              HasSubstr("names no graph format"));
}

TEST(GraphPrinted, WhatIsWrongIsSaid) {
  const auto refused = [](GraphFormat format, const std::string& content, const std::string& words) {
    EXPECT_THAT(error_of([&] { (void)read_graph("net", "net", content, format); }), HasSubstr(words))
        << content;
  };
  using enum GraphFormat;
  refused(kNodeLink, "{\"nodes\": [", "net:1:");
  refused(kNodeLink, "{}", "it has no list of \"nodes\"");
  refused(kNodeLink, R"({"nodes": []})", "\"links\" or \"edges\"");
  refused(kNodeLink, R"({"nodes": [{"id": 1}, {"id": 1}], "links": []})", "two nodes with the id '1'");
  refused(kNodeLink, R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]})",
          "a node '2' that the file does not list");
  refused(kNodeLink, R"({"nodes": [{"id": 1}], "links": [{"source": 1}]})", "link number 0 has no target");
  refused(kMetis, "", "net is empty");
  refused(kMetis, "2 1\n2\n", "there are 1 lines of nodes, and should be 2");
  refused(kMetis, "2 1\n2\n1\n1\n", "this line would be one more");
  refused(kMetis, "2 2\n2\n1\n", "says that there are 2 edges, and the others have 1");
  refused(kMetis, "2 1\n2\n\n", "node 1 has the neighbour 2, which has not node 1");
  refused(kMetis, "2 1\n3\n1\n", "neighbour 3 is none of the 2 nodes");
  refused(kMetis, "2 1\n1\n1\n", "node 1 is linked to itself");
  refused(kMetis, "2 1\n2 2\n1\n", "neighbour 2 is there twice");
  refused(kMetis, "2 1 3\n2\n1\n", "three digits of 0 and 1");
  refused(kMetis, "2 1 1\n2\n1 1\n", "followed by the weight");
  refused(kMetis, "2 x\n", "a whole number is needed");
  refused(kIbnetdiscover, "[1] \"S-1\"[2]\n", "a port of nobody");
  refused(kIbnetdiscover, "Switch 36\n", "its identifier in quotes is missing");
  refused(kIbnetdiscover, "Switch 36 \"S-1\"\nSwitch 36 \"S-1\"\n", "there is a 'S-1' already");
  refused(kIbnetdiscover, "Switch 36 \"S-1\"\n[1] \"S-2\"[2]\n", "nothing is said of 'S-2'");
  refused(kIbnetdiscover, "Switch 36 \"S-1\"\n[1] \"S-2\n", "a port is [number]");
  refused(kIbnetdiscover, "hello\n", "Switch, Ca, Rt, a port in brackets");
  refused(kNvidiaSmi, "hello\n", "no line begins with GPU0");
  refused(kNvidiaSmi, " GPU0 GPU1\nGPU0 X NV1\n", "2 columns of GPUs and 1 rows");
  refused(kNvidiaSmi, " GPU0 GPU1\nGPU0 X NV1\nGPU1 NV2 X\n", "GPU1 reaches GPU0 in another way than back");
  refused(kNvidiaSmi, " GPU0 GPU1\nGPU1 X NV1\n", "not in the order of the columns");
  refused(kNvidiaSmi, " GPU0 GPU1\nGPU0 X YES\n", "PIX, PXB, PHB, NODE or SYS is expected");
  refused(kNvidiaSmi, " GPU0 GPU1\nGPU0 X\n", "shorter than the head");
}

}  // namespace
}  // namespace quadrille::graph_printed_test
