// Perspective: how a layout with depth is seen on paper.
//
//     const Perspective view(layout);
//     const SeenPoint p = view.see(layout.x[v], layout.y[v], layout.z[v]);     // p.depth: 0 nearest, 1 farthest
//
// The eye is 2.2 diagonals of the network away, a little to the right and above: by layout.yaw and
// layout.tilt. Of a flat layout points are seen as they are.
#pragma once

#include "quadrille/layout/network_layout.h"

namespace quadrille {

struct SeenPoint {
  double x = 0;
  double y = 0;
  double depth = 0;  ///< 0 for the nearest of the nodes, 1 for the farthest
  double scale = 1;  ///< how large things look there
};

class Perspective {
 public:
  explicit Perspective(const NetworkLayout& layout);

  [[nodiscard]] SeenPoint see(double x, double y, double z) const;
  [[nodiscard]] SeenPoint see(const NetworkLayout& layout, NodeId node) const;

 private:
  struct Turned {
    double x, y, z;
  };
  [[nodiscard]] Turned turned(double x, double y, double z) const;

  bool flat_;
  double across_[2] = {1, 0};  // cosine and sine of the yaw
  double down_[2] = {1, 0};    // and of the tilt
  double middle_[3] = {0, 0, 0};
  double distance_ = 1;
  double near_ = 0;
  double far_ = 1;
};

}  // namespace quadrille
