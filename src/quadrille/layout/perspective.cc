#include "quadrille/layout/perspective.h"

#include <algorithm>
#include <cmath>

namespace quadrille {
namespace {

constexpr double kDiagonals = 2.2;

void stretch(const std::vector<float>& values, double& low, double& high) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  low = *least;
  high = *most;
}

}  // namespace

Perspective::Perspective(const NetworkLayout& layout) : flat_(layout.is_flat()) {
  if (flat_) return;
  across_[0] = std::cos(layout.yaw);
  across_[1] = std::sin(layout.yaw);
  down_[0] = std::cos(layout.tilt);
  down_[1] = std::sin(layout.tilt);
  double low[3];
  double high[3];
  stretch(layout.x, low[0], high[0]);
  stretch(layout.y, low[1], high[1]);
  stretch(layout.z, low[2], high[2]);
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    middle_[i] = (low[i] + high[i]) / 2;
    square += (high[i] - low[i]) * (high[i] - low[i]);
  }
  distance_ = kDiagonals * std::max(1.0, std::sqrt(square));
  near_ = distance_;
  far_ = -distance_;
  for (size_t v = 0; v < layout.x.size(); ++v) {
    const double z = turned(layout.x[v], layout.y[v], layout.z[v]).z;
    near_ = std::min(near_, z);
    far_ = std::max(far_, z);
  }
}

Perspective::Turned Perspective::turned(double x, double y, double z) const {
  x -= middle_[0];
  y -= middle_[1];
  z -= middle_[2];
  const double across = x * across_[0] + z * across_[1];
  const double along = -x * across_[1] + z * across_[0];
  return {across, y * down_[0] - along * down_[1], y * down_[1] + along * down_[0]};
}

SeenPoint Perspective::see(double x, double y, double z) const {
  if (flat_) return {x, y, 0, 1};
  const Turned at = turned(x, y, z);
  const double scale = distance_ / (distance_ + at.z);
  const double depth = far_ > near_ ? (at.z - near_) / (far_ - near_) : 0;
  return {at.x * scale, at.y * scale, std::clamp(depth, 0.0, 1.0), scale};
}

SeenPoint Perspective::see(const NetworkLayout& layout, NodeId node) const {
  const size_t v = index(node);
  return see(layout.x[v], layout.y[v], flat_ ? 0 : layout.z[v]);
}

}  // namespace quadrille
