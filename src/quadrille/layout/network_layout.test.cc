#include "quadrille/layout/network_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "quadrille/layout/bends.h"
#include "quadrille/layout/perspective.h"
#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace network_layout_test {

NetworkLayout laid_out(std::string_view spec) { return layout_of(parse_topology(spec)); }

std::vector<std::string_view> every_sample() {
  std::vector<std::string_view> out;
  for (const Family* family : family_catalog())
    if (!family->opens_files) out.insert(out.end(), family->samples.begin(), family->samples.end());
  return out;
}

TEST(NetworkLayout, OfEverySampleHasAPlaceOfItsOwnForEachNode) {
  for (const std::string_view spec : every_sample()) {
    const Topology net = parse_topology(spec);
    const NetworkLayout layout = layout_of(net);
    ASSERT_EQ(layout.x.size(), net.num_nodes()) << spec;
    ASSERT_EQ(layout.y.size(), net.num_nodes()) << spec;
    ASSERT_TRUE(layout.is_flat() || layout.z.size() == net.num_nodes()) << spec;
    ASSERT_EQ(layout.wraps.size(), net.num_arcs()) << spec;
    ASSERT_EQ(layout.group.size(), net.num_arcs()) << spec;
    std::set<std::tuple<float, float, float>> places;
    for (size_t v = 0; v < net.num_nodes(); ++v) {
      const float z = layout.is_flat() ? 0 : layout.z[v];
      for (const float at : {layout.x[v], layout.y[v], z}) {
        ASSERT_TRUE(std::isfinite(at)) << spec;
        EXPECT_EQ(at * 64, std::round(at * 64)) << spec;
      }
      EXPECT_TRUE(places.emplace(layout.x[v], layout.y[v], z).second) << spec << ": node " << v;
    }
    EXPECT_GT(layout.pitch, 0) << spec;
  }
}

TEST(NetworkLayout, GroupsAreNamedAndNoneIsEmpty) {
  for (const std::string_view spec : every_sample()) {
    const NetworkLayout layout = laid_out(spec);
    std::set<uint8_t> used(layout.group.begin(), layout.group.end());
    EXPECT_EQ(used.size(), layout.group_names.size()) << spec;
    if (used.empty()) continue;
    EXPECT_EQ(*used.rbegin() + size_t{1}, layout.group_names.size()) << spec;
  }
}

TEST(NetworkLayout, IsTheSameEachTime) {
  for (const std::string_view spec :
       {"random_regular(24,3;1)", "dragonfly(2,4,2)", "slim_fly(5)", "star(4)"}) {
    const NetworkLayout once = laid_out(spec);
    const NetworkLayout again = laid_out(spec);
    EXPECT_EQ(once.x, again.x) << spec;
    EXPECT_EQ(once.y, again.y) << spec;
  }
}

TEST(NetworkLayout, AGridHasItsLastCoordinateToTheRightAndStubsForLinksRoundTheEnds) {
  const Topology net = parse_topology("torus(4,5)");
  const NetworkLayout layout = layout_of(net);
  EXPECT_EQ(name_of(layout.kind), "grid");
  EXPECT_EQ(layout.x[7], 2);  // (1,2)
  EXPECT_EQ(layout.y[7], 1);
  EXPECT_EQ(layout.pitch, 1);
  EXPECT_EQ(layout.group_names, (std::vector<std::string>{"y+", "y-", "x+", "x-"}));
  for (const ArcId arc : net.arcs()) {
    const size_t a = index(net.tail(arc));
    const size_t b = index(net.head(arc));
    const float length = std::abs(layout.x[a] - layout.x[b]) + std::abs(layout.y[a] - layout.y[b]);
    EXPECT_EQ(layout.wraps[index(arc)], length > 1 ? 1 : 0);
  }
  EXPECT_EQ(std::count(layout.wraps.begin(), layout.wraps.end(), 1), 2 * (4 + 5));
  for (const int g : {0, 1, 2, 3}) EXPECT_EQ(std::count(layout.group.begin(), layout.group.end(), g), 20);
}

TEST(NetworkLayout, ThreeDimensionsHaveDepth) {
  const Topology net = parse_topology("mesh(2,3,4)");
  const NetworkLayout layout = layout_of(net);
  ASSERT_FALSE(layout.is_flat());
  EXPECT_EQ(std::tuple(layout.x[23], layout.y[23], layout.z[23]), std::tuple(3.0F, 2.0F, 1.0F));
  const Perspective view(layout);
  EXPECT_LT(view.see(layout, NodeId{0}).depth, view.see(layout, NodeId{12}).depth);
}

// How many nodes are hidden by others more than half.
int hidden(const NetworkLayout& layout) {
  const Perspective view(layout);
  int out = 0;
  for (size_t v = 0; v < layout.x.size(); ++v)
    for (size_t w = v + 1; w < layout.x.size(); ++w) {
      const SeenPoint a = view.see(layout, id_at<NodeId>(v));
      const SeenPoint b = view.see(layout, id_at<NodeId>(w));
      if (std::hypot(a.x - b.x, a.y - b.y) < 0.17 * layout.pitch) ++out;
    }
  return out;
}

TEST(NetworkLayout, IsSeenFromWhereFewNodesHideOthers) {
  for (const char* spec : {"torus(4,4,4)", "torus(3,3,3)", "mesh(3,4,5)", "torus(4,3,3)", "torus(5,5,5)"}) {
    const NetworkLayout chosen = laid_out(spec);
    NetworkLayout usual = chosen;
    usual.yaw = NetworkLayout{}.yaw;
    usual.tilt = NetworkLayout{}.tilt;
    EXPECT_LE(hidden(chosen), hidden(usual)) << spec;
    EXPECT_LE(hidden(chosen), chosen.x.size() > 100 ? 6 : 0) << spec;
  }
  EXPECT_EQ(laid_out("torus(4,4)").yaw, NetworkLayout{}.yaw);
}

TEST(NetworkLayout, ACubeIsFlat) {
  EXPECT_TRUE(laid_out("hypercube(3)").is_flat());
  EXPECT_EQ(laid_out("hypercube(5)").group_names,
            (std::vector<std::string>{"bit 4", "bit 3", "bit 2", "bit 1", "bit 0"}));
}

TEST(NetworkLayout, ARingIsACircle) {
  const NetworkLayout layout = laid_out("ring(12)");
  EXPECT_EQ(name_of(layout.kind), "circle");
  const double radius = std::hypot(layout.x[0], layout.y[0]);
  for (size_t v = 0; v < 12; ++v) EXPECT_NEAR(std::hypot(layout.x[v], layout.y[v]), radius, 0.03);
  EXPECT_EQ(layout.x[0], 0);
  EXPECT_LT(layout.y[0], 0);  // at the top
  EXPECT_GT(layout.x[3], 0);  // clockwise
}

TEST(NetworkLayout, LevelsHaveTheirEndpointsAtTheBottom) {
  for (const std::string_view spec : {"fat_tree(4,4)", "clos(4)", "gpu_box(8,6)"}) {
    const Topology net = parse_topology(spec);
    const NetworkLayout layout = layout_of(net);
    EXPECT_EQ(name_of(layout.kind), "levels") << spec;
    float lowest = layout.y[index(net.endpoints()[0])];
    for (const NodeId v : net.nodes())
      EXPECT_EQ(layout.y[index(v)] == lowest, net.rank(v).has_value()) << spec << " node " << index(v);
    for (const ArcId arc : net.arcs()) {
      const bool up = layout.y[index(net.head(arc))] < layout.y[index(net.tail(arc))];
      EXPECT_EQ(layout.group_names[layout.group[index(arc)]].substr(0, 2), up ? "up" : "do") << spec;
    }
  }
}

TEST(NetworkLayout, GroupsOfADragonflyStandTogether) {
  const Topology net = parse_topology("dragonfly(0,4,1)");
  const NetworkLayout layout = layout_of(net);
  EXPECT_EQ(name_of(layout.kind), "groups");
  // 5 groups of 4, all linked: 5 * 12 arcs within, 5 * 4 across.
  EXPECT_EQ(std::count(layout.group.begin(), layout.group.end(), 0), 60);
  EXPECT_EQ(std::count(layout.group.begin(), layout.group.end(), 1), 20);
  const NetworkLayout with_hosts = laid_out("dragonfly(2,4,1)");
  EXPECT_EQ(with_hosts.group_names, (std::vector<std::string>{"up", "down", "within", "across"}));
}

TEST(NetworkLayout, HostsOfNeighbouringRoutersDoNotMeet) {
  for (const char* spec : {"dragonfly(4,2,2)", "dragonfly(2,4,1)", "jellyfish(12,4,3;1)"}) {
    const NetworkLayout layout = laid_out(spec);
    double least = HUGE_VAL;
    for (size_t v = 0; v < layout.x.size(); ++v)
      for (size_t w = 0; w < v; ++w)
        least =
            std::min(least, std::hypot(double{layout.x[v]} - layout.x[w], double{layout.y[v]} - layout.y[w]));
    EXPECT_GT(least, 0.55 * layout.pitch) << spec;
  }
}

TEST(NetworkLayout, EndpointsThatAreLinkedToEachOtherStandInNoRow) {
  const NetworkLayout layout = laid_out(
      R"(edges("head core, cpu-a core, cpu-b core, cpu-a cpu-b, gpu-1 cpu-a, gpu-2 cpu-a, gpu-3 cpu-b, gpu-1 gpu-2";"switches core"))");
  EXPECT_EQ(name_of(layout.kind), "springs");
  // A box whose accelerators are linked through switches alone has levels.
  EXPECT_EQ(name_of(laid_out("gpu_box(8,6)").kind), "levels");
}

TEST(NetworkLayout, PetersensGraphTurns) {
  const Topology net = parse_topology("generalized_petersen(5,2)");
  const NetworkLayout layout = layout_of(net);
  std::map<int, int> on_circle;
  for (size_t v = 0; v < 10; ++v)
    ++on_circle[static_cast<int>(std::lround(4 * std::hypot(layout.x[v], layout.y[v])))];
  ASSERT_EQ(on_circle.size(), 2U);
  for (const auto& [radius, nodes] : on_circle) EXPECT_EQ(nodes, 5) << radius;
}

TEST(NetworkLayout, AStrangersTorusIsDrawnLikeOurs) {
  const Topology ours = parse_topology("torus(4,5)");
  const Topology theirs = numbered_anew(ours, 7);
  const NetworkLayout a = layout_of(ours);
  const NetworkLayout b = layout_of(theirs);
  EXPECT_EQ(name_of(b.kind), "grid");
  const auto places = [](const NetworkLayout& layout) {
    std::multiset<std::pair<float, float>> out;
    for (size_t v = 0; v < layout.x.size(); ++v) out.emplace(layout.x[v], layout.y[v]);
    return out;
  };
  EXPECT_EQ(places(a), places(b));
  EXPECT_EQ(std::count(b.wraps.begin(), b.wraps.end(), 1), 18);
}

TEST(NetworkLayout, ATorusWithoutALinkIsStillAGrid) {
  const NetworkLayout layout = laid_out("without(torus(4,4);\"link (0,0) (0,1)\")");
  EXPECT_EQ(name_of(layout.kind), "grid");
  EXPECT_EQ(layout.pitch, 1);
}

// How near a link as it is drawn comes to a node that is not its end, in pitches.
double nearest_pass(const Topology& net, const NetworkLayout& layout, ArcId arc) {
  const size_t a = index(net.tail(arc));
  const size_t b = index(net.head(arc));
  const double bend = layout.bends.empty() ? 0 : layout.bends[index(arc)];
  const auto points = bent(layout.x[a], layout.y[a], layout.x[b], layout.y[b], bend);
  double out = HUGE_VAL;
  for (size_t v = 0; v < net.num_nodes(); ++v) {
    if (v == a || v == b) continue;
    for (size_t i = 0; i + 1 < points.size(); ++i)
      for (int part = 0; part <= 20; ++part) {
        const double t = part / 20.0;
        out = std::min(out, std::hypot(points[i].x + t * (points[i + 1].x - points[i].x) - layout.x[v],
                                       points[i].y + t * (points[i + 1].y - points[i].y) - layout.y[v]));
      }
  }
  return out / layout.pitch;
}

TEST(NetworkLayout, LinksBendRoundNodesOnTheirWay) {
  for (const std::string_view spec :
       {"mesh(3,3,3,3)", "torus(4,4,4,4)", "hypercube(6)", "edges(\"a b, b c, a c\")"}) {
    const Topology net = parse_topology(spec);
    const NetworkLayout layout = layout_of(net);
    NetworkLayout straight = layout;
    straight.bends.clear();
    int over_nodes = 0;
    int over_nodes_if_straight = 0;
    for (const ArcId arc : net.arcs()) {
      if (layout.wraps[index(arc)] != 0) continue;
      over_nodes += nearest_pass(net, layout, arc) < 0.18 ? 1 : 0;
      over_nodes_if_straight += nearest_pass(net, straight, arc) < 0.18 ? 1 : 0;
      if (layout.bends.empty()) continue;
      // Both ways one line.
      EXPECT_EQ(layout.bends[index(arc)], -layout.bends[index(net.reverse(arc))]) << spec;
    }
    // A cube of six bits is too crowded for all of them.
    EXPECT_LE(over_nodes, over_nodes_if_straight / 6) << spec << ", of " << over_nodes_if_straight;
  }
  EXPECT_FALSE(laid_out("mesh(3,3,3,3)").bends.empty());
  for (const std::string_view spec : {"torus(4,4)", "ring(9)", "complete(7)", "clos(4)", "torus(4,4,4)"})
    EXPECT_TRUE(laid_out(spec).bends.empty()) << spec;
}

TEST(NetworkLayout, ABendLiesToTheLeftOfItsWay) {
  const auto points = bent(0, 0, 10, 0, 2);
  EXPECT_EQ(std::pair(points[0].x, points[0].y), std::pair(0.0, 0.0));
  EXPECT_EQ(std::pair(points[kBendPieces / 2].x, points[kBendPieces / 2].y),
            std::pair(5.0, -2.0));  // y points downwards
  EXPECT_EQ(std::pair(points[kBendPieces].x, points[kBendPieces].y), std::pair(10.0, 0.0));
}

TEST(NetworkLayout, ASlimFlyIsTwoRowsOfCircles) {
  for (const std::string_view spec : {"slim_fly(5)", "slim_fly(4)"}) {
    const Topology net = parse_topology(spec);
    const NetworkLayout layout = layout_of(net);
    EXPECT_EQ(layout.group_names, (std::vector<std::string>{"within 1", "within 2", "down", "up"})) << spec;
    const uint32_t half = net.num_nodes() / 2;
    const auto middle = layout.y.begin() + half;
    EXPECT_LT(*std::max_element(layout.y.begin(), middle), *std::min_element(middle, layout.y.end()));
  }
  // A stranger's, too, and one with hosts.
  EXPECT_EQ(layout_of(numbered_anew(parse_topology("slim_fly(5)"), 3)).group_names.size(), 4U);
  EXPECT_EQ(laid_out("slim_fly(5,2)").group_names.size(), 6U);
  // As many nodes, but no halves.
  EXPECT_NE(laid_out("random_regular(50,7;1)").group_names.size(), 4U);
}

TEST(NetworkLayout, ATreeOfManyLeavesHasItsRootInTheMiddle) {
  const Topology net = parse_topology("fat_tree(2^9)");
  const NetworkLayout layout = layout_of(net);
  EXPECT_EQ(name_of(layout.kind), "circle");
  const double rim = std::hypot(layout.x[0], layout.y[0]);
  for (const NodeId v : net.nodes()) {
    const double radius = std::hypot(layout.x[index(v)], layout.y[index(v)]);
    if (net.rank(v)) {
      EXPECT_NEAR(radius, rim, 0.05);
    } else {
      EXPECT_LT(radius, rim * 8.5 / 9);
    }
  }
  EXPECT_EQ(name_of(laid_out("fat_tree(2^7)").kind), "levels");
}

TEST(NetworkLayout, HostsOfRoutersInARowStandInARowBelow) {
  const Topology net =
      parse_topology("edges(\"s0 s1, s1 s2, a s0, b s0, c s0, d s1, e s2, f s2\";\"switches s*\")");
  const NetworkLayout layout = layout_of(net);
  std::set<float> heights;
  for (const NodeId v : net.nodes())
    if (net.rank(v)) heights.insert(layout.y[index(v)]);
  EXPECT_EQ(heights.size(), 1U);
  const auto at = [&](std::string_view label) {
    for (const NodeId v : net.nodes())
      if (net.label(v) == label) return std::pair(layout.x[index(v)], layout.y[index(v)]);
    return std::pair(0.0F, 0.0F);
  };
  EXPECT_EQ(at("b").first, at("s0").first);
  EXPECT_GT(at("b").second, at("s0").second);
  EXPECT_LT(at("a").first, at("b").first);
  EXPECT_LT(at("c").first, at("d").first);
}

TEST(NetworkLayout, RowsAreByGroupThenByTail) {
  const Topology net = parse_topology("torus(3,3)");
  const NetworkLayout layout = layout_of(net);
  const std::vector<ArcId> rows = rows_of(layout);
  ASSERT_EQ(rows.size(), net.num_arcs());
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [&](ArcId a, ArcId b) {
    return std::tuple(layout.group[index(a)], index(a)) < std::tuple(layout.group[index(b)], index(b));
  }));
}

}  // namespace network_layout_test
}  // namespace quadrille
