#include "quadrille/draw/link_heat_map.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace link_heat_map_test {
namespace {

size_t count(const std::string& text, std::string_view word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

std::string picture(const char* spec, const std::vector<double>& shares) {
  const Topology network = parse_topology(spec);
  return link_heat_map(network, layout_of(network), shares, {.title = "a & b"});
}

TEST(LinkHeatMap, DrawsEveryNodeAndTheScale) {
  std::vector<double> shares(48, 0.0);  // torus(3,4) has 48 arcs
  shares[5] = 0.25;
  const std::string text = picture("torus(3,4)", shares);
  EXPECT_EQ(count(text, "<circle"), 12U);
  EXPECT_NE(text.find("a &amp; b"), std::string::npos);
  EXPECT_NE(text.find("mean 0.5 %, most 25.0 %"), std::string::npos);
  EXPECT_NE(text.find(">30 %<"), std::string::npos);  // the scale ends at a round number
  EXPECT_EQ(text, picture("torus(3,4)", shares));
}

TEST(LinkHeatMap, ABusyLinkLooksOtherThanAnIdleOne) {
  const std::vector<double> idle(4, 0.0);
  std::vector<double> busy = idle;
  busy[2] = 1.0;
  EXPECT_NE(picture("line(3)", idle), picture("line(3)", busy));
  std::vector<double> other = idle;
  other[3] = 1.0;
  EXPECT_NE(picture("line(3)", busy), picture("line(3)", other));
}

TEST(LinkHeatMap, NetworksWithDepthAreDrawnPlaneByPlane) {
  const Topology network = parse_topology("torus(4,4,4)");
  const std::vector<double> shares(network.num_arcs(), 0.5);
  const std::string text = picture("torus(4,4,4)", shares);
  EXPECT_NE(text.find("slanted"), std::string::npos);
  EXPECT_EQ(count(text, "<circle"), 64U);
}

TEST(LinkHeatMap, NetworksWithoutLinksHaveAPicture) {
  EXPECT_NE(picture("complete(1)", {}).find("mean 0.0 %"), std::string::npos);
}

}  // namespace
}  // namespace link_heat_map_test
}  // namespace quadrille
