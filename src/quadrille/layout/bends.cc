#include "quadrille/layout/bends.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace quadrille {
namespace bends_parts {
namespace {

constexpr uint32_t kMostArcs = 20'000;
constexpr double kTooNear = 0.2;  // of the pitch
// In pitches, tried from the gentlest on; to the left and to the right of each.
constexpr double kTried[] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.95, 1.1, 1.3, 1.5, 1.8, 2.2};
constexpr double kSharpest = 0.3;  // of the length of the link

// Nodes by the square of the plane in which they stand.
class Squares {
 public:
  explicit Squares(const NetworkLayout& layout) : layout_(layout), side_(layout.pitch) {
    for (size_t v = 0; v < layout.x.size(); ++v)
      nodes_[{square(layout.x[v]), square(layout.y[v])}].push_back(id_at<NodeId>(v));
  }

  // How many nodes but the ends are nearer than `near` to the line from a to b.
  [[nodiscard]] int in_the_way(const BendPoint& a, const BendPoint& b, NodeId tail, NodeId head,
                               double near) const {
    int out = 0;
    for (int64_t i = square(std::min(a.x, b.x) - near); i <= square(std::max(a.x, b.x) + near); ++i)
      for (int64_t j = square(std::min(a.y, b.y) - near); j <= square(std::max(a.y, b.y) + near); ++j) {
        const auto found = nodes_.find({i, j});
        if (found == nodes_.end()) continue;
        for (const NodeId v : found->second)
          if (v != tail && v != head && distance(v, a, b) < near) ++out;
      }
    return out;
  }

 private:
  [[nodiscard]] int64_t square(double at) const { return static_cast<int64_t>(std::floor(at / side_)); }
  [[nodiscard]] double distance(NodeId v, const BendPoint& a, const BendPoint& b) const {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double px = layout_.x[index(v)] - a.x;
    const double py = layout_.y[index(v)] - a.y;
    const double t = std::clamp((px * dx + py * dy) / std::max(1e-12, dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(px - t * dx, py - t * dy);
  }

  const NetworkLayout& layout_;
  double side_;
  std::map<std::pair<int64_t, int64_t>, std::vector<NodeId>> nodes_;
};

}  // namespace
}  // namespace bends_parts

std::array<BendPoint, kBendPieces + 1> bent(double x0, double y0, double x1, double y1, double bend) {
  std::array<BendPoint, kBendPieces + 1> out;
  const double dx = x1 - x0;
  const double dy = y1 - y0;
  const double length = std::max(1e-12, std::hypot(dx, dy));
  for (size_t i = 0; i <= kBendPieces; ++i) {
    const double t = kBendParts[i];
    const double beside = 4 * t * (1 - t) * bend / length;  // a parabola
    out[i] = {x0 + t * dx + beside * dy, y0 + t * dy - beside * dx};
  }
  return out;
}

void bend_round_nodes(const Topology& topology, NetworkLayout& layout) {
  using bends_parts::kMostArcs;
  using bends_parts::kSharpest;
  using bends_parts::kTooNear;
  using bends_parts::kTried;
  using bends_parts::Squares;
  if (!layout.is_flat() || topology.num_arcs() > kMostArcs) return;
  const Squares squares(layout);
  const double near = kTooNear * layout.pitch;
  std::vector<float> bends(topology.num_arcs());
  bool any = false;
  for (const ArcId arc : topology.arcs()) {
    if (layout.wraps[index(arc)] != 0) continue;
    const NodeId tail = topology.tail(arc);
    const NodeId head = topology.head(arc);
    const ArcId back = topology.reverse(arc);
    if (back != kNoArc && head < tail) {
      bends[index(arc)] = -bends[index(back)];
      continue;
    }
    const BendPoint a{layout.x[index(tail)], layout.y[index(tail)]};
    const BendPoint b{layout.x[index(head)], layout.y[index(head)]};
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    int fewest = squares.in_the_way(a, b, tail, head, near);
    double best = 0;
    for (const double by : kTried) {
      if (fewest == 0 || by * layout.pitch > kSharpest * length) break;
      for (const double bend : {by * layout.pitch, -by * layout.pitch}) {
        const auto points = bent(a.x, a.y, b.x, b.y, bend);
        int met = 0;
        for (size_t i = 0; i < kBendPieces; ++i)
          met += squares.in_the_way(points[i], points[i + 1], tail, head, near);
        if (met >= fewest) continue;
        fewest = met;
        best = bend;
      }
    }
    bends[index(arc)] = static_cast<float>(std::round(best * 64) / 64);
    any = any || best != 0;
  }
  if (any) layout.bends = std::move(bends);
}

}  // namespace quadrille
