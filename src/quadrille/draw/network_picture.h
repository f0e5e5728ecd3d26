// Pictures of networks: alone, in one step, in several steps side by side, or with the loads of a whole plan.
//
//     const NetworkLayout layout = layout_of(net);
//     NetworkScene scene{.topology = net, .layout = layout, .title = "step 3"};
//     scene.values[index(arc)] = 2;                      // 0: nothing goes there
//     write_file("x.svg", network_svg(scene));
//
// Endpoints are discs, routers squares. A link without a value is one thin grey line; a value is a line on the right-hand side of its
// direction, with an arrow, whose colour and width both grow with it. Links that lead round are stubs on both sides. Whatever is pointed
// out is so by shape, too: findings are dashed and have a sign, a cut is a soft area and thick links.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quadrille/draw/value_scale.h"
#include "quadrille/layout/network_layout.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct NetworkScene {
  const Topology& topology;
  const NetworkLayout& layout;
  std::string title{};
  std::vector<float> values{};  ///< of each arc; 0: nothing; empty: nothing anywhere
  ValueScale scale{};
  std::vector<NodeId> cut{};     ///< one side of it
  std::vector<NodeId> ringed{};  ///< nodes that are pointed out
  std::vector<ArcId> wrong{};    ///< links of findings
  std::vector<NodeId> wrong_nodes{};
  std::string note{};  ///< sentences below the picture
};

struct NetworkStyle {
  double width = 245;  ///< points
  bool labels = true;  ///< where there is room
  size_t across = 0;   ///< pictures in a row of a strip; 0: as many as there is room for
};

/// More arcs than this are drawn as single lines without arrow heads.
inline constexpr uint32_t kMostArrows = 2000;
/// More than this are no picture.
inline constexpr uint32_t kMostDrawnArcs = 200'000;
/// Throws InputError for a network of more arcs: before a layout is looked for.
void require_drawable(const Topology& topology);

/// Throws InputError for a network of more than kMostDrawnArcs arcs.
[[nodiscard]] std::string network_svg(const NetworkScene& scene, const NetworkStyle& style = {});

/// Several side by side and in rows, with one legend: that of the first. At most kMostScenes of them; throws InputError for more, and
/// for a network that is too large.
[[nodiscard]] std::string strip_svg(std::span<const NetworkScene> scenes, const NetworkStyle& style = {});
inline constexpr size_t kMostScenes = 64;

/// With characters: "0 --> 1" where something goes from 0 to 1. Grids of two dimensions, lines and rings with every link in its place, others
/// by their layout; throws InputError for those whose names have no room.
[[nodiscard]] std::string network_text(const NetworkScene& scene);

/// Bars: how many links carry how many blocks.
struct LoadHistogram {
  std::string title{};
  std::vector<uint64_t> loads{};  ///< of each link
  double mean = 0;                ///< marked where it is above 0
};
[[nodiscard]] std::string load_histogram_svg(const LoadHistogram& histogram, const NetworkStyle& style = {});

}  // namespace quadrille
