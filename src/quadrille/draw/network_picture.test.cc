#include "quadrille/draw/network_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "quadrille/draw/character_canvas.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/golden_file.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace network_picture_test {

size_t count_of(const std::string& text, std::string_view part) {
  size_t out = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

std::string drawn(const std::string& spec, const NetworkStyle& style = {}) {
  const Topology net = parse_topology(spec);
  const NetworkLayout layout = layout_of(net);
  return network_svg({.topology = net, .layout = layout}, style);
}

// Every number of the paths and circles of a picture lies on its page.
void expect_on_page(const std::string& svg, const std::string& what) {
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(svg.c_str())) << what;
  const pugi::xml_node page = read.child("svg");
  const double width = page.attribute("width").as_double();
  const double height = page.attribute("height").as_double();
  for (const pugi::xml_node circle : page.children("circle")) {
    EXPECT_GE(circle.attribute("cx").as_double() - circle.attribute("r").as_double(), 0) << what;
    EXPECT_LE(circle.attribute("cx").as_double() + circle.attribute("r").as_double(), width) << what;
    EXPECT_GE(circle.attribute("cy").as_double() - circle.attribute("r").as_double(), 0) << what;
    EXPECT_LE(circle.attribute("cy").as_double() + circle.attribute("r").as_double(), height) << what;
  }
  for (const pugi::xml_node text : page.children("text")) {
    EXPECT_GE(text.attribute("x").as_double(), 0) << what;
    EXPECT_LE(text.attribute("x").as_double(), width) << what;
    const std::string anchor = text.attribute("text-anchor").as_string("start");
    const double size = text.attribute("font-size").as_double(7);
    const bool to_the_right = anchor == "start" && !text.attribute("transform");
    const double wide = to_the_right ? text_width(text.child_value(), size) : 0;
    EXPECT_LE(text.attribute("x").as_double() + wide, width) << what << ": " << text.child_value();
    EXPECT_GE(text.attribute("font-size").as_double(7), 5.5) << what;
  }
}

TEST(NetworkPicture, IsWellFormedAndOnThePageForEveryKindOfNetwork) {
  for (const std::string spec : {"torus(4,4)",
                                 "torus(3,3,3)",
                                 "hypercube(4)",
                                 "fat_tree(4,4)",
                                 "fat_tree(2,3,4)",
                                 "clos(4)",
                                 "clos(4,4,4)",
                                 "dragonfly(2,4,1)",
                                 "gpu_box(8,6)",
                                 "random_regular(16,3;1)",
                                 "mesh(5,7)",
                                 "ring(12)",
                                 "generalized_petersen(5,2)",
                                 "slim_fly(3)",
                                 "line(40)",
                                 "line(1)",
                                 "de_bruijn(2,3)",
                                 "star(4)",
                                 "complete(2)",
                                 "torus(3,3,2,2)"}) {
    for (const double width : {120.0, 245.0, 500.0}) expect_on_page(drawn(spec, {.width = width}), spec);
  }
}

TEST(NetworkPicture, OfATorusIsAsItWas) { expect_golden("testdata/draw/torus.svg", drawn("torus(3,3)")); }

TEST(NetworkPicture, EndpointsAreDiscsAndRoutersSquares) {
  const std::string svg = drawn("fat_tree(2,2)");
  EXPECT_EQ(count_of(svg, "<circle"), 4U);
  EXPECT_EQ(count_of(svg, "fill=\"#dde1e6\""), 3U);
}

TEST(NetworkPicture, LongNamesAreShortenedInTheMiddle) {
  const std::string svg = drawn(
      "edges(\"rack_1_host_with_a_long_name_0 b, b c, c rack_1_host_with_a_long_name_0, c d, d b, "
      "d \u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc_x\")");
  EXPECT_EQ(count_of(svg, "\u2026"), 4U) << svg;  // each with its halo
  for (const char* part : {">rack", "e_0<", ">c<", ">\u00e4\u00f6", "_x<"})
    EXPECT_EQ(count_of(svg, part), 2U) << part << svg;
  pugi::xml_document read;
  EXPECT_TRUE(read.load_string(svg.c_str())) << "characters are whole";
}

TEST(NetworkPicture, NamesAreShortenedWhereTheyAreAlike) {
  const std::string svg = drawn(
      R"(edges("compute-node1-mlx5-adapter s, compute-node2-mlx5-adapter s, compute-node3-mlx5-adapter s";"switches s"))");
  std::set<std::string> names;
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(svg.c_str()));
  for (const pugi::xml_node text : read.child("svg").children("text")) names.insert(text.child_value());
  EXPECT_EQ(names.size(), 4U) << svg;
}

// The names of a tree's nodes stand on the other side of the link that leads up.
TEST(NetworkPicture, NamesStandWhereTheyHideNoLink) {
  const std::string svg = drawn("fat_tree(2^4)");
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(svg.c_str()));
  std::map<std::string, std::string> anchors;
  for (const pugi::xml_node text : read.child("svg").children("text"))
    anchors[text.child_value()] = text.attribute("text-anchor").as_string("start");
  EXPECT_EQ(anchors.at("0@3"), "end");
  EXPECT_EQ(anchors.at("1@3"), "start");
  EXPECT_EQ(anchors.at("2@2"), "end");
  EXPECT_EQ(anchors.at("3@2"), "start");
}

TEST(NetworkPicture, NamesLeaveRoomForTheNetwork) {
  const std::string name(200, 'x');
  for (const std::string& spec :
       {"edges(\"" + name + " b, b c, c " + name + "\")",
        "edges(\"a " + name + ", b " + name + ", c " + name + "\";\"switches " + name + "\")",
        "edges(\"a s, b s, " + name + " s\";\"switches s\")"}) {
    const std::string svg = drawn(spec);
    expect_on_page(svg, spec);
    EXPECT_EQ(svg.find(name), std::string::npos);
    double left = 245;
    double right = 0;
    pugi::xml_document read;
    ASSERT_TRUE(read.load_string(svg.c_str()));
    for (const pugi::xml_node circle : read.child("svg").children("circle")) {
      left = std::min(left, circle.attribute("cx").as_double());
      right = std::max(right, circle.attribute("cx").as_double());
    }
    EXPECT_GT(right - left, 30) << spec;
  }
}

TEST(NetworkPicture, WhatGoesOverALinkHasTheColourOfItsValue) {
  const Topology net = parse_topology("mesh(1,3)");
  const NetworkLayout layout = layout_of(net);
  NetworkScene scene{.topology = net, .layout = layout};
  scene.values.resize(net.num_arcs());
  scene.scale = {.name = "blocks", .largest = 2};
  EXPECT_EQ(network_svg(scene).find(to_hex(value_colour(0))), std::string::npos);
  scene.values[0] = 1;
  const std::string svg = network_svg(scene);
  // A line, its head, and the legend.
  EXPECT_EQ(count_of(svg, to_hex(value_colour(0))), 3U);
  EXPECT_EQ(count_of(svg, to_hex(value_colour(1))), 1U);
  EXPECT_NE(svg.find(">blocks<"), std::string::npos);
}

TEST(NetworkPicture, FindingsHaveASignAndCutsAnArea) {
  const Topology net = parse_topology("torus(4,4)");
  const NetworkLayout layout = layout_of(net);
  NetworkScene scene{
      .topology = net, .layout = layout, .wrong = {ArcId{0}}, .note = "what is wrong, in a sentence"};
  std::string svg = network_svg(scene);
  EXPECT_EQ(count_of(svg, ">!<"), 1U);
  EXPECT_EQ(count_of(svg, "stroke-dasharray"), 1U);
  EXPECT_NE(svg.find(">what is wrong, in a sentence<"), std::string::npos);
  const NetworkScene cut{.topology = net, .layout = layout, .cut = {NodeId{0}, NodeId{1}}};
  svg = network_svg(cut);
  EXPECT_EQ(count_of(svg, "stroke-linecap=\"round\""), 1U);
  // Two nodes of four links, one of which is between them.
  const size_t at = svg.find("stroke=\"" + to_hex(kBlockAccent));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(count_of(svg.substr(at, svg.find('\n', at) - at), "M"), 6U + 3U);  // three of them are two stubs
}

TEST(NetworkPicture, SeveralSideBySideShareALegend) {
  const Topology net = parse_topology("ring(4)");
  const NetworkLayout layout = layout_of(net);
  NetworkScene scene{.topology = net, .layout = layout, .title = "step 1"};
  scene.values.assign(net.num_arcs(), 1);
  scene.scale = {.name = "blocks", .largest = 2};
  const std::vector<NetworkScene> scenes(4, scene);
  const std::string svg = strip_svg(scenes, {.width = 500});
  EXPECT_EQ(count_of(svg, ">step 1<"), 4U);
  EXPECT_EQ(count_of(svg, ">blocks<"), 1U);
  expect_on_page(svg, "strip");
  EXPECT_EQ(error_of([&] { return strip_svg(std::vector<NetworkScene>(65, scene)); }),
            "65 pictures side by side; 1 to 64 are possible: give fewer, such as --steps 0:8");
}

TEST(NetworkPicture, StepsSideBySideNameTheirNodesWhereThereIsRoom) {
  const auto strip = [](const std::string& spec, double width, bool labels = true) {
    const Topology net = parse_topology(spec);
    const NetworkLayout layout = layout_of(net);
    const std::string svg = strip_svg(std::vector<NetworkScene>(2, {.topology = net, .layout = layout}),
                                      {.width = width, .labels = labels});
    expect_on_page(svg, spec);
    return svg;
  };
  EXPECT_EQ(count_of(strip("mesh(3,3)", 245), ">(1,2)<"), 2U);
  EXPECT_EQ(count_of(strip("mesh(3,3)", 245, false), ">(1,2)<"), 0U);
  EXPECT_EQ(count_of(strip("torus(16,16)", 245), ">(1,2)<"), 0U);
  // Of a level either all names have room, or none is there.
  const std::string tree = strip("fat_tree(2,3,4)", 245);
  for (const auto& [name, times] : {std::pair{">1@2<", 2 * 2}, {">3@2<", 2 * 2}, {">1@1<", 0}, {">23<", 0}})
    EXPECT_EQ(count_of(tree, name), static_cast<size_t>(times)) << name;  // each with its halo
}

TEST(NetworkPicture, WithCharacters) {
  const Topology net = parse_topology("torus(3,3)");
  const NetworkLayout layout = layout_of(net);
  NetworkScene scene{.topology = net, .layout = layout};
  EXPECT_EQ(network_text(scene),
            "(0,0) --- (0,1) --- (0,2) ---\n"
            "  |         |         |\n"
            "(1,0) --- (1,1) --- (1,2) ---\n"
            "  |         |         |\n"
            "(2,0) --- (2,1) --- (2,2) ---\n"
            "  |         |         |\n");
  scene.values.resize(net.num_arcs());
  scene.values[index(*net.find_arc(NodeId{0}, NodeId{1}))] = 1;
  scene.values[index(*net.find_arc(NodeId{0}, NodeId{2}))] = 1;
  scene.values[index(*net.find_arc(NodeId{4}, NodeId{1}))] = 1;
  scene.values[index(*net.find_arc(NodeId{6}, NodeId{0}))] = 1;
  EXPECT_EQ(network_text(scene),
            "(0,0) --> (0,1) --- (0,2) <--\n"
            "  |         ^         |\n"
            "(1,0) --- (1,1) --- (1,2) ---\n"
            "  |         |         |\n"
            "(2,0) --- (2,1) --- (2,2) ---\n"
            "  v         |         |\n");
  const Topology ring = parse_topology("ring(4)");
  const NetworkLayout circle = layout_of(ring);
  EXPECT_EQ(network_text({.topology = ring, .layout = circle}), "0 --- 1 --- 2 --- 3 ---\n");
}

TEST(NetworkPicture, WithCharactersPlaneByPlane) {
  const Topology cube = parse_topology("mesh(2,2,3)");
  const NetworkLayout layout = layout_of(cube);
  NetworkScene scene{.topology = cube, .layout = layout, .title = "step 1"};
  scene.values.resize(cube.num_arcs());
  scene.values[index(*cube.find_arc(NodeId{0}, NodeId{6}))] = 1;
  EXPECT_EQ(network_text(scene),
            "step 1\n"
            "plane 0\n"
            "(0,0,0) --- (0,0,1) --- (0,0,2)\n"
            "   |           |           |\n"
            "(0,1,0) --- (0,1,1) --- (0,1,2)\n"
            "\n"
            "plane 1\n"
            "(1,0,0) --- (1,0,1) --- (1,0,2)\n"
            "   |           |           |\n"
            "(1,1,0) --- (1,1,1) --- (1,1,2)\n"
            "\n"
            "plane 0 --> plane 1: 1 of 6 links in use\n"
            "plane 1 --> plane 0: 0 of 6 links in use\n");
}

TEST(NetworkPicture, WithCharactersByTheLayout) {
  const Topology tree = parse_topology("fat_tree(2,2)");
  const NetworkLayout levels = layout_of(tree);
  NetworkScene scene{.topology = tree, .layout = levels};
  scene.values.resize(tree.num_arcs());
  scene.values[index(*tree.find_arc(NodeId{0}, NodeId{4}))] = 1;
  const std::string text = network_text(scene);
  EXPECT_EQ(count_of(text, "^"), 1U) << text;
  // Of the links that are not in use there are dots, and of the one that is there are strokes.
  EXPECT_GT(count_of(text, "."), 3 * count_of(text, "/"));
  EXPECT_GT(count_of(text, "/"), 0U);
  for (const char* spec : {"fat_tree(4,4)", "complete(7)", "circulant(10;1,3)", "kautz(2,2)",
                           "dragonfly(1,2,1)", "random_regular(10,3;2)", "mesh(2,2,2,2)", "complete(1)"}) {
    const Topology net = parse_topology(spec);
    const NetworkLayout layout = layout_of(net);
    const std::string drawn = network_text({.topology = net, .layout = layout});
    for (const NodeId v : net.nodes()) EXPECT_NE(drawn.find(net.label(v)), std::string::npos) << spec;
    std::istringstream lines(drawn);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), size_t{kMostColumns}) << spec;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << spec;
    }
  }
  const Topology crowd = parse_topology("slim_fly(5)");
  const NetworkLayout crowded = layout_of(crowd);
  EXPECT_EQ(
      error_of([&] { return network_text({.topology = crowd, .layout = crowded}); }),
      "slim_fly(5) is too crowded for 160 columns of characters: its picture needs -o FILE.svg (of a plan "
      "characters show links against steps, --space-time --ascii)");
}

TEST(LoadHistogram, HasABarForEachLoadAndTheirMean) {
  const std::string svg = load_histogram_svg({.loads = {1, 1, 1, 3}, .mean = 1.5});
  pugi::xml_document read;
  ASSERT_TRUE(read.load_string(svg.c_str()));
  EXPECT_EQ(count_of(read.child("svg").child("path").attribute("d").value(), "M"), 2U);
  EXPECT_NE(svg.find(">mean 1.5<"), std::string::npos);
  EXPECT_EQ(error_of([] { return load_histogram_svg({}); }), "a histogram of no links");
}

}  // namespace network_picture_test
}  // namespace quadrille
