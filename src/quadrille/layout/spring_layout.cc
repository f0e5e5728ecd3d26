#include "quadrille/layout/spring_layout.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint64_t kWork = 40'000'000;  // pairs that are looked at, over all sweeps and starts
constexpr int kMostStarts = 6;
constexpr int kMostSweeps = 250;
constexpr int kForcePasses = 200;

struct Point {
  double x = 0;
  double y = 0;
};
using Points = std::vector<Point>;

// --- stress --------------------------------------------------------------------------------------------

class Stress {
 public:
  explicit Stress(const Topology& topology) : nodes_(topology.num_nodes()) {
    for (const NodeId v : topology.nodes()) {
      const std::vector<uint32_t> row = distances_from(topology, v);
      hops_.insert(hops_.end(), row.begin(), row.end());
    }
    // One-way links: the shorter way counts.
    for (size_t v = 0; v < nodes_; ++v)
      for (size_t w = 0; w < v; ++w)
        hops_[v * nodes_ + w] = hops_[w * nodes_ + v] =
            std::min(hops_[v * nodes_ + w], hops_[w * nodes_ + v]);
  }

  [[nodiscard]] Points on_a_circle() const {
    Points out;
    for (size_t v = 0; v < nodes_; ++v) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(v) / static_cast<double>(nodes_);
      const double radius = std::sqrt(static_cast<double>(nodes_)) / 2;
      out.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
    }
    return out;
  }
  [[nodiscard]] Points anywhere(Rng& random) const {
    Points out;
    for (size_t v = 0; v < nodes_; ++v)
      out.push_back({static_cast<double>(random.below(1U << 20U)) / (1U << 17U),
                     static_cast<double>(random.below(1U << 20U)) / (1U << 17U)});
    return out;
  }

  // Node by node to where its distances pull it, until little moves.
  void settle(Points& at, int sweeps) const {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      double moved = 0;
      for (size_t v = 0; v < nodes_; ++v) {
        const Point next = pulled(at, v);
        moved = std::max(moved, std::abs(next.x - at[v].x) + std::abs(next.y - at[v].y));
        at[v] = next;
      }
      if (moved < 1e-3) return;
    }
  }

  [[nodiscard]] double of(const Points& at) const {
    double sum = 0;
    for (size_t v = 0; v < nodes_; ++v)
      for (size_t w = 0; w < v; ++w) {
        const double wanted = hops_[v * nodes_ + w];
        const double off = std::sqrt(square(at[v], at[w])) / wanted - 1;
        sum += off * off;
      }
    return sum;
  }

 private:
  static double square(const Point& a, const Point& b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
  }

  [[nodiscard]] Point pulled(const Points& at, size_t v) const {
    double x = 0;
    double y = 0;
    double weights = 0;
    for (size_t w = 0; w < nodes_; ++w) {
      if (w == v) continue;
      const double wanted = hops_[v * nodes_ + w];
      const double weight = 1 / (wanted * wanted);
      const double apart = std::sqrt(square(at[v], at[w]));
      const double by = apart > 1e-9 ? wanted / apart : 0;
      x += weight * (at[w].x + by * (at[v].x - at[w].x));
      y += weight * (at[w].y + by * (at[v].y - at[w].y));
      weights += weight;
    }
    return {x / weights, y / weights};
  }

  size_t nodes_;
  std::vector<uint32_t> hops_{};
};

Points by_stress(const Topology& topology) {
  const Stress stress(topology);
  const uint64_t sweeps = kWork / (uint64_t{topology.num_nodes()} * topology.num_nodes());
  const auto starts = static_cast<int>(std::clamp<uint64_t>(sweeps / kMostSweeps, 1, kMostStarts));
  Rng random(1);
  Points best;
  double least = 0;
  for (int start = 0; start < starts; ++start) {
    Points at = start == 0 ? stress.on_a_circle() : stress.anywhere(random);
    stress.settle(at, static_cast<int>(std::clamp<uint64_t>(sweeps, 30, kMostSweeps)));
    const double value = stress.of(at);
    // A start must be better by something that rounding is not.
    if (!best.empty() && value > least * 0.999) continue;
    least = value;
    best = std::move(at);
  }
  return best;
}

// --- forces --------------------------------------------------------------------------------------------

using Plane = boost::rectangle_topology<std::minstd_rand>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

Graph undirected(const Topology& topology) {
  Graph out(topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    const NodeId tail = topology.tail(arc);
    const NodeId head = topology.head(arc);
    if (topology.reverse(arc) != kNoArc && tail > head) continue;  // the way back comes by itself
    boost::add_edge(index(tail), index(head), out);
  }
  return out;
}

Points by_forces(const Topology& topology) {
  const Graph graph = undirected(topology);
  std::vector<Plane::point_type> places(topology.num_nodes());
  const auto at = boost::make_iterator_property_map(places.begin(), get(boost::vertex_index, graph));
  const double side = std::sqrt(static_cast<double>(topology.num_nodes())) * 1.2;
  boost::circle_graph_layout(graph, at, side / 2);
  std::minstd_rand seed(1);
  const Plane plane(seed, -side / 2, -side / 2, side / 2, side / 2);
  boost::fruchterman_reingold_force_directed_layout(
      graph, at, plane, boost::cooling(boost::linear_cooling<double>(kForcePasses, side / 10)));
  Points out;
  for (const auto& place : places) out.push_back({place[0], place[1]});
  return out;
}

}  // namespace

NetworkLayout spring_layout(const Topology& topology) {
  const size_t nodes = topology.num_nodes();
  Points places(nodes);
  if (nodes > 1) places = nodes <= kMostStressNodes ? by_stress(topology) : by_forces(topology);
  NetworkLayout out{.kind = LayoutKind::kSprings};
  out.x.resize(nodes);
  out.y.resize(nodes);
  for (size_t v = 0; v < nodes; ++v) {
    out.x[v] = static_cast<float>(places[v].x);
    out.y[v] = static_cast<float>(places[v].y);
  }
  out.wraps.resize(topology.num_arcs());
  out.group.resize(topology.num_arcs());
  out.group_names = {"links"};
  return out;
}

}  // namespace quadrille
