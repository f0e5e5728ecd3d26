#include "quadrille/topology/queries/disjoint_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

// A product whose paths fall short of the bound is searched, too, if it has no more arcs than this.
constexpr uint32_t kMostArcsForSecondLook = 1U << 20U;

// Lengths are doubles: Boost.Graph adds up the distances of nodes that it cannot reach, which overflows whole
// numbers.
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Flow = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, int,
                    boost::property<boost::edge_residual_capacity_t, int,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor,
                                                    boost::property<boost::edge_weight_t, double>>>>>;

// Every node is an arc from its entrance, 2v, to its exit, 2v+1, so that one path at most goes through.
class NodeFlow {
 public:
  NodeFlow(const Topology& topology, NodeId from, NodeId to)
      : topology_(topology), from_(from), to_(to), flow_(size_t{2} * topology.num_nodes()) {
    for (const NodeId v : topology.nodes()) {
      if (v != from && v != to) add(entrance(v), leaving(v), 0);
    }
    for (const ArcId arc : topology.arcs()) {
      if (topology.head(arc) != from && topology.tail(arc) != to)
        add(leaving(topology.tail(arc)), entrance(topology.head(arc)), 1);
    }
  }

  std::vector<NodePath> paths() {
    boost::successive_shortest_path_nonnegative_weights(flow_, leaving(from_), entrance(to_));
    const auto capacity = boost::get(boost::edge_capacity, flow_);
    const auto residual = boost::get(boost::edge_residual_capacity, flow_);
    std::vector<NodeId> next(topology_.num_nodes(), kNoNode);
    std::vector<NodePath> out;
    for (const auto edge : boost::make_iterator_range(boost::edges(flow_))) {
      if (capacity[edge] == 0 || residual[edge] != 0) continue;
      const NodeId tail{static_cast<uint32_t>(boost::source(edge, flow_) / 2)};
      const NodeId head{static_cast<uint32_t>(boost::target(edge, flow_) / 2)};
      if (tail == head) continue;
      if (tail == from_) {
        out.push_back({from_, head});
      } else {
        next[index(tail)] = head;
      }
    }
    for (NodePath& path : out) {
      while (path.back() != to_) path.push_back(next[index(path.back())]);
    }
    return out;
  }

 private:
  static size_t entrance(NodeId v) { return 2 * index(v); }
  static size_t leaving(NodeId v) { return 2 * index(v) + 1; }

  void add(size_t tail, size_t head, double length) {
    const auto there = boost::add_edge(tail, head, flow_).first;
    const auto back = boost::add_edge(head, tail, flow_).first;
    boost::put(boost::edge_capacity, flow_, there, 1);
    boost::put(boost::edge_capacity, flow_, back, 0);
    boost::put(boost::edge_weight, flow_, there, length);
    boost::put(boost::edge_weight, flow_, back, -length);
    boost::put(boost::edge_reverse, flow_, there, back);
    boost::put(boost::edge_reverse, flow_, back, there);
  }

  const Topology& topology_;
  NodeId from_;
  NodeId to_;
  Flow flow_;
};

void sort_by_length(std::vector<NodePath>& paths) {
  std::sort(paths.begin(), paths.end(), [](const NodePath& a, const NodePath& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
}

void require_two_nodes(const Topology& topology, NodeId from, NodeId to) {
  if (from != to) return;
  throw InputError(fmt::format("paths lead from one node of {} to another; both are {}", topology.name(),
                               topology.label(from)));
}

// Follows paths of the factors, one dimension at a time, round the circle of dimensions.
class ProductPaths {
 public:
  ProductPaths(const Topology& topology, NodeId from, NodeId to)
      : product_(*topology.product()), from_(from), paths_(product_.factors.size()) {
    for (size_t i = 0; i < paths_.size(); ++i) {
      const NodeId v{product_.coordinate(from, i)};
      const NodeId u{product_.coordinate(to, i)};
      if (v != u) paths_[i] = disjoint_paths(product_.factors[i], v, u).paths;
    }
  }

  std::vector<NodePath> all() const {
    std::vector<NodePath> out;
    for (size_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i].empty()) {
        detours(i, out);
      } else {
        out.push_back(canonical(i));
        for (size_t j = 1; j < paths_[i].size(); ++j) out.push_back(roundabout(i, paths_[i][j]));
      }
    }
    return out;
  }

 private:
  void step(NodePath& path, size_t i, NodeId coordinate) const {
    path.push_back(product_.with_coordinate(path.back(), i, static_cast<uint32_t>(index(coordinate))));
  }

  // Corrects a dimension along its shortest path: the link itself, where there is one.
  void correct(NodePath& path, size_t i) const {
    if (paths_[i].empty()) return;
    const NodePath& shortest = paths_[i].front();
    for (size_t h = 1; h < shortest.size(); ++h) step(path, i, shortest[h]);
  }

  void correct_others(NodePath& path, size_t i) const {
    for (size_t k = 1; k < paths_.size(); ++k) correct(path, (i + k) % paths_.size());
  }

  NodePath canonical(size_t i) const {
    NodePath path{from_};
    correct(path, i);
    correct_others(path, i);
    return path;
  }

  // Another path of the dimension stops one node short until all else is right.
  NodePath roundabout(size_t i, const NodePath& way) const {
    NodePath path{from_};
    for (size_t h = 1; h + 1 < way.size(); ++h) step(path, i, way[h]);
    correct_others(path, i);
    step(path, i, way.back());
    return path;
  }

  // Where the coordinate is right already: aside to a neighbour, and back in the end.
  void detours(size_t i, std::vector<NodePath>& out) const {
    const NodeId v{product_.coordinate(from_, i)};
    const Topology& factor = product_.factors[i];
    for (const ArcId arc : factor.arcs_from(v)) {
      NodePath path{from_};
      step(path, i, factor.head(arc));
      correct_others(path, i);
      step(path, i, v);
      out.push_back(std::move(path));
    }
  }

  const ProductStructure& product_;
  NodeId from_;
  std::vector<std::vector<NodePath>> paths_;  // per dimension, shortest first; none where the two agree
};

uint32_t in_degree(const Topology& topology, NodeId node) {
  if (!topology.is_directed()) return topology.out_degree(node);
  return static_cast<uint32_t>(std::count(topology.heads().begin(), topology.heads().end(), node));
}

}  // namespace

std::vector<NodePath> disjoint_paths_by_flow(const Topology& topology, NodeId from, NodeId to) {
  require_two_nodes(topology, from, to);
  std::vector<NodePath> out = NodeFlow(topology, from, to).paths();
  sort_by_length(out);
  return out;
}

std::vector<NodePath> disjoint_paths_of_product(const Topology& topology, NodeId from, NodeId to) {
  require_two_nodes(topology, from, to);
  QUADRILLE_CHECK(topology.product() != nullptr && !topology.is_directed(), topology.name());
  std::vector<NodePath> out = ProductPaths(topology, from, to).all();
  sort_by_length(out);
  return out;
}

DisjointPaths disjoint_paths(const Topology& topology, NodeId from, NodeId to) {
  require_two_nodes(topology, from, to);
  DisjointPaths out;
  out.most = std::min(topology.out_degree(from), in_degree(topology, to));
  if (topology.product() != nullptr && !topology.is_directed()) {
    out.paths = disjoint_paths_of_product(topology, from, to);
    out.from_factors = true;
    out.proved = out.paths.size() == out.most;
    if (out.proved || topology.num_arcs() > kMostArcsForSecondLook) return out;
  }
  std::vector<NodePath> by_flow = disjoint_paths_by_flow(topology, from, to);
  if (by_flow.size() > out.paths.size()) {
    out.paths = std::move(by_flow);
    out.from_factors = false;
  }
  out.proved = true;
  return out;
}

}  // namespace quadrille
