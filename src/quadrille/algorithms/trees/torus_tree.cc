#include "quadrille/algorithms/trees/torus_tree.h"

#include <algorithm>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/base/check.h"

namespace quadrille {
namespace {

struct Point {
  int64_t i = 0;
  int64_t j = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

enum class Quarter { kA, kB, kC, kD };

class TorusTree {
 public:
  TorusTree(int64_t m, int64_t n)
      : m_(m), n_(n), east_(m / 2), west_((m - 1) / 2), north_(n / 2), south_((n - 1) / 2) {
    choose_moves();
  }

  /// The point that informs `p`, which is not the root.
  [[nodiscard]] Point parent(Point p) const {
    const auto moved =
        std::find_if(moves_.begin(), moves_.end(), [p](const Move& m) { return m.point == p; });
    if (moved != moves_.end()) return moved->parent;
    if (p.i * p.i + p.j * p.j == 1) return {0, 0};
    return parent_in(region(p), p);
  }

 private:
  // A point that leaves its region to make the sizes even.
  struct Move {
    Point point;
    Point parent;
  };

  void choose_moves() {
    const bool n_even = n_ % 2 == 0;
    const bool m_even = m_ % 2 == 0;
    const Move a_to_d{{1, north_}, {0, north_}};
    const Move d_to_c{{-west_, 1}, {-west_, 0}};
    if (n_even && m_ == 4) {
      moves_ = {{{0, north_}, {0, -south_}}, {{1, north_}, {0, north_}}};
    } else if (n_even && m_ == 3) {
      moves_ = {north_ % 2 == 1 ? Move{{-1, north_}, {-1, -south_}} : Move{{0, north_}, {0, -south_}}};
    } else if (m_even && n_ == 3) {
      moves_ = {east_ % 2 == 1 ? Move{{east_, 1}, {-west_, 1}} : Move{{east_, 0}, {-west_, 0}}};
    } else {
      if (m_even) moves_.push_back(a_to_d);
      if (n_even) moves_.push_back(d_to_c);
    }
  }

  [[nodiscard]] Quarter region(Point p) const {
    const bool m_odd = m_ % 2 == 1;
    const bool n_odd = n_ % 2 == 1;
    if (p.i == 0 && p.j > 0) return m_odd && p.j % 2 != 0 ? Quarter::kA : Quarter::kD;
    if (p.i == 0) return m_odd && p.j % 2 == 0 ? Quarter::kB : Quarter::kC;
    if (p.j == 0 && p.i > 0) return n_odd && p.i % 2 == 0 ? Quarter::kA : Quarter::kB;
    if (p.j == 0) return n_odd && p.i % 2 != 0 ? Quarter::kD : Quarter::kC;
    if (p.i > 0) return p.j > 0 ? Quarter::kA : Quarter::kB;
    return p.j > 0 ? Quarter::kD : Quarter::kC;
  }

  // A and C have their trunks along the line beside the second axis and branches towards it; B and D the
  // other way. A point of an axis hangs on its neighbour inside the region.
  [[nodiscard]] static Point parent_in(Quarter region, Point p) {
    switch (region) {
      case Quarter::kA:
        if (p.i == 0) return {1, p.j};
        if (p.j == 0) return {p.i, 1};
        return p.j == 1 ? Point{p.i - 1, 1} : Point{p.i, p.j - 1};
      case Quarter::kB:
        if (p.i == 0) return {1, p.j};
        if (p.j == 0) return {p.i, -1};
        return p.i == 1 ? Point{1, p.j + 1} : Point{p.i - 1, p.j};
      case Quarter::kC:
        if (p.i == 0) return {-1, p.j};
        if (p.j == 0) return {p.i, -1};
        return p.j == -1 ? Point{p.i + 1, -1} : Point{p.i, p.j + 1};
      case Quarter::kD:
        if (p.i == 0) return {-1, p.j};
        if (p.j == 0) return {p.i, 1};
        return p.i == -1 ? Point{-1, p.j - 1} : Point{p.i + 1, p.j};
    }
    return {};
  }

  int64_t m_;
  int64_t n_;
  int64_t east_;
  int64_t west_;
  int64_t north_;
  int64_t south_;
  std::vector<Move> moves_;
};

}  // namespace

bool has_torus_tree(const Topology& topology) {
  const std::optional<TorusShape> shape = as_torus(topology);
  return shape && shape->sides.size() == 2 && shape->sides[0] >= 3 && shape->sides[1] >= 3;
}

SpanningTree torus_tree(const Topology& topology, NodeId root) {
  QUADRILLE_CHECK(has_torus_tree(topology), topology.name());
  const TorusShape shape = *as_torus(topology);
  const int64_t m = shape.sides[0];
  const int64_t n = shape.sides[1];
  const int64_t root_i = static_cast<int64_t>(index(root)) / shape.strides[0] % m;
  const int64_t root_j = static_cast<int64_t>(index(root)) / shape.strides[1] % n;
  const auto node = [&](Point p) {
    return id_at<NodeId>((root_i + p.i + m) % m * shape.strides[0] +
                         (root_j + p.j + n) % n * shape.strides[1]);
  };
  const TorusTree tree(m, n);
  std::vector<ArcId> arc(topology.num_nodes(), kNoArc);
  for (int64_t i = -((m - 1) / 2); i <= m / 2; ++i) {
    for (int64_t j = -((n - 1) / 2); j <= n / 2; ++j) {
      const Point p{i, j};
      if (p == Point{}) continue;
      arc[index(node(p))] = topology.find_arc(node(tree.parent(p)), node(p)).value();
    }
  }
  return tree_of_arcs(topology, root, arc);
}

}  // namespace quadrille
