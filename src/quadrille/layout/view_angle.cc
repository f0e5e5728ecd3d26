#include "quadrille/layout/view_angle.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "quadrille/layout/perspective.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 1000;
constexpr double kMostWork = 4e7;    // distances: a fraction of a second
constexpr double kNodeRoom = 0.48;   // of the pitch, from middle to middle: two discs and a gap
constexpr double kLinkRoom = 0.26;   // from the middle of a node to a link
constexpr double kLinkShare = 0.25;  // of what a hidden node counts

struct Spots {
  std::vector<double> x, y;
};

// 0 where there is room enough, 1 where one lies on the other.
double lack(double square, double room) {
  if (square >= room * room) return 0;
  const double share = 1 - std::sqrt(square) / room;
  return share * share;
}

double square_to_link(const Spots& at, size_t v, size_t a, size_t b) {
  const double dx = at.x[b] - at.x[a];
  const double dy = at.y[b] - at.y[a];
  const double px = at.x[v] - at.x[a];
  const double py = at.y[v] - at.y[a];
  const double t = std::clamp((px * dx + py * dy) / std::max(1e-12, dx * dx + dy * dy), 0.0, 1.0);
  return (px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy);
}

// How much lies on one another, seen under the angles of the layout.
double crowding(const NetworkLayout& layout, const std::vector<std::pair<uint32_t, uint32_t>>& links) {
  const Perspective view(layout);
  const size_t nodes = layout.x.size();
  Spots at{.x = std::vector<double>(nodes), .y = std::vector<double>(nodes)};
  for (size_t v = 0; v < nodes; ++v) {
    const SeenPoint seen = view.see(layout, id_at<NodeId>(v));
    at.x[v] = seen.x;
    at.y[v] = seen.y;
  }
  const double node_room = kNodeRoom * layout.pitch;
  const double link_room = kLinkRoom * layout.pitch;
  double sum = 0;
  for (size_t v = 0; v < nodes; ++v)
    for (size_t w = v + 1; w < nodes; ++w) {
      const double dx = at.x[v] - at.x[w];
      const double dy = at.y[v] - at.y[w];
      sum += lack(dx * dx + dy * dy, node_room);
    }
  for (const auto& [a, b] : links) {
    const double low = std::min(at.y[a], at.y[b]) - link_room;
    const double high = std::max(at.y[a], at.y[b]) + link_room;
    for (size_t v = 0; v < nodes; ++v)
      if (v != a && v != b && at.y[v] > low && at.y[v] < high)
        sum += kLinkShare * lack(square_to_link(at, v, a, b), link_room);
  }
  return sum;
}

}  // namespace

void choose_view(const Topology& topology, NetworkLayout& layout) {
  if (layout.is_flat() || topology.num_nodes() > kMostNodes) return;
  std::vector<std::pair<uint32_t, uint32_t>> links;
  for (const ArcId arc : topology.arcs()) {
    const auto a = static_cast<uint32_t>(topology.tail(arc));
    const auto b = static_cast<uint32_t>(topology.head(arc));
    if (layout.wraps[index(arc)] == 0 && (a < b || topology.reverse(arc) == kNoArc)) links.emplace_back(a, b);
  }
  const double nodes = topology.num_nodes();
  if (nodes * (nodes / 2 + static_cast<double>(links.size())) * 100 > kMostWork) links.clear();

  // In hundredths, so that the angles are the same numbers everywhere.
  const int coarse = nodes * (nodes / 2 + static_cast<double>(links.size())) * 300 > kMostWork ? 4 : 2;
  const float usual_yaw = layout.yaw;
  const float usual_tilt = layout.tilt;
  NetworkLayout tried = layout;
  double least = crowding(layout, links);
  for (int yaw = -60; yaw <= -20; yaw += coarse)
    for (int tilt = 18; tilt <= 46; tilt += coarse) {
      tried.yaw = static_cast<float>(yaw) / 100;
      tried.tilt = static_cast<float>(tilt) / 100;
      // What is nearly as good is not worth an unusual angle.
      const double found =
          1.01 * crowding(tried, links) + 0.1 * std::hypot(tried.yaw - usual_yaw, tried.tilt - usual_tilt);
      if (found >= least) continue;
      least = found;
      layout.yaw = tried.yaw;
      layout.tilt = tried.tilt;
    }
}

}  // namespace quadrille
