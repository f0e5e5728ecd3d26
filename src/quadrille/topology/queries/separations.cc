#include "quadrille/topology/queries/separations.h"

#include <algorithm>

namespace quadrille {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

// Neighbours over arcs in any direction, each once, by node.
struct Neighbours {
  std::vector<uint32_t> begin;
  std::vector<NodeId> node;

  explicit Neighbours(const Topology& topology) : begin(size_t{topology.num_nodes()} + 1, 0) {
    // An arc back does not count twice: what it leads to is listed by the arc itself.
    const auto both_ways = [&](auto&& visit) {
      for (const ArcId arc : topology.arcs()) {
        visit(topology.tail(arc), topology.head(arc));
        if (topology.reverse(arc) == kNoArc) visit(topology.head(arc), topology.tail(arc));
      }
    };
    both_ways([&](NodeId from, NodeId) { ++begin[index(from) + 1]; });
    for (size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    node.resize(begin.back());
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    both_ways([&](NodeId from, NodeId to) { node[next[index(from)]++] = to; });
  }
};

}  // namespace

Separations::Separations(const Topology& topology)
    : met_(topology.num_nodes(), kNever),
      last_(topology.num_nodes(), 0),
      endpoints_met_(1, 0),
      separated_(topology.num_nodes()),
      num_endpoints_(topology.num_endpoints()) {
  const Neighbours neighbours(topology);
  std::vector<uint32_t> lowest(topology.num_nodes(), kNever);  // reached from below over one link upwards
  std::vector<uint32_t> next(neighbours.begin.begin(), neighbours.begin.end() - 1);
  std::vector<NodeId> path;
  uint32_t time = 0;
  const auto enter = [&](NodeId v) {
    met_[index(v)] = lowest[index(v)] = time++;
    endpoints_met_.push_back(endpoints_met_.back() + (topology.rank(v) ? 1 : 0));
    path.push_back(v);
  };
  enter(NodeId{0});
  while (!path.empty()) {
    const NodeId v = path.back();
    if (next[index(v)] < neighbours.begin[index(v) + 1]) {
      const NodeId w = neighbours.node[next[index(v)]++];
      if (met_[index(w)] == kNever) {
        enter(w);
      } else if (path.size() < 2 || path[path.size() - 2] != w) {
        lowest[index(v)] = std::min(lowest[index(v)], met_[index(w)]);
      }
      continue;
    }
    path.pop_back();
    last_[index(v)] = time;
    if (path.empty()) break;
    const NodeId above = path.back();
    lowest[index(above)] = std::min(lowest[index(above)], lowest[index(v)]);
    if (lowest[index(v)] >= met_[index(above)]) separated_[index(above)].push_back(v);
    if (lowest[index(v)] > met_[index(above)]) {
      bridges_.push_back(below(v));
      bridges_.back().without = above;
    }
  }
}

Separations::Part Separations::below(NodeId child) const {
  const uint32_t first = met_[index(child)];
  const uint32_t last = last_[index(child)];
  return {first, last, false, kNoNode, endpoints_met_[last] - endpoints_met_[first]};
}

std::vector<Separations::Part> Separations::parts(NodeId node) const {
  std::vector<Part> out;
  const uint32_t at = met_[index(node)];
  uint32_t others = num_endpoints_ - (endpoints_met_[at + 1] - endpoints_met_[at]);
  uint32_t nodes = 0;
  for (const NodeId child : separated_[index(node)]) {
    out.push_back(below(child));
    out.back().without = node;
    others -= out.back().endpoints;
    nodes += out.back().last - out.back().first;
  }
  if (nodes + 1 < met_.size()) out.push_back({0, 0, true, node, others});
  return out;
}

bool Separations::is_in(const Part& part, NodeId node) const {
  const uint32_t at = met_[index(node)];
  if (!part.rest) return at >= part.first && at < part.last;
  if (node == part.without) return false;
  return std::ranges::none_of(separated_[index(part.without)], [&](NodeId child) {
    return at >= met_[index(child)] && at < last_[index(child)];
  });
}

}  // namespace quadrille
