#include "quadrille/algorithms/products/paths_from.h"

#include <algorithm>

namespace quadrille {
namespace {

uint32_t number(NodeId node) { return static_cast<uint32_t>(index(node)); }

}  // namespace

PathsFrom::PathsFrom(const Topology& net, uint32_t from)
    : net_(net), from_(from), up_(net.num_nodes(), kNoArc) {
  order_.reserve(net.num_nodes());
  order_.push_back(from);
  for (size_t i = 0; i < order_.size(); ++i) {
    for (const ArcId arc : net.arcs_from(NodeId{order_[i]})) {
      const uint32_t to = number(net.head(arc));
      if (to == from || up_[to] != kNoArc) continue;
      up_[to] = arc;
      order_.push_back(to);
    }
  }
}

void PathsFrom::find(uint32_t to, std::vector<ArcId>& path) const {
  path.clear();
  for (uint32_t v = to; v != from_; v = number(net_.tail(up_[v]))) path.push_back(up_[v]);
  std::reverse(path.begin(), path.end());
}

uint64_t PathsFrom::add_loads(std::vector<uint64_t>& load) const {
  std::vector<uint64_t> below(up_.size(), 1);
  uint64_t total = 0;
  for (size_t i = order_.size(); i-- > 1;) {
    const uint32_t v = order_[i];
    load[index(up_[v])] += below[v];
    total += below[v];
    below[number(net_.tail(up_[v]))] += below[v];
  }
  return total;
}

}  // namespace quadrille
