#include "quadrille/bounds/rooted_tree.h"

namespace quadrille {

std::optional<RootedTree> as_rooted_tree(const Topology& topology, NodeId root) {
  const size_t n = topology.num_nodes();
  if (topology.is_directed() || topology.num_arcs() != 2 * (n - 1)) return std::nullopt;
  RootedTree out;
  out.parent.assign(n, kNoNode);
  out.depth.assign(n, 0);
  std::vector<NodeId> order{root};
  for (size_t i = 0; i < order.size(); ++i) {
    const NodeId v = order[i];
    for (const ArcId arc : topology.arcs_from(v)) {
      const NodeId w = topology.head(arc);
      if (w == out.parent[index(v)]) continue;
      out.parent[index(w)] = v;
      out.depth[index(w)] = out.depth[index(v)] + 1;
      order.push_back(w);
    }
  }
  std::vector<char> needed(n, 0);
  for (size_t i = n; i-- > 0;) {
    const NodeId v = order[i];
    if (topology.rank(v)) needed[index(v)] = 1;
    if (needed[index(v)] != 0 && v != root) needed[index(out.parent[index(v)])] = 1;
  }
  for (const NodeId v : order) {
    if (needed[index(v)] != 0) out.order.push_back(v);
  }
  return out;
}

}  // namespace quadrille
