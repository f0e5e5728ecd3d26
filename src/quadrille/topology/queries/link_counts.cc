#include "quadrille/topology/queries/link_counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace quadrille {
namespace {

// The largest sum of one of the factors' nodes each is the sum of their largest.
template <typename Count>
uint64_t sum_over_factors(const Topology& outline, Count count) {
  uint64_t sum = 0;
  for (const Topology& factor : outline.product()->factors) sum += count(factor);
  return sum;
}

template <typename End>
uint64_t most_links(const Topology& topology, End end_of) {
  std::vector<uint64_t> links(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) links[index(end_of(arc))] += topology.capacity(arc);
  return *std::max_element(links.begin(), links.end());
}

struct MostLinks {
  Topology topology;
  uint64_t out;
  uint64_t in;
};

// Every problem on a network asks for it: what was found last is kept.
const MostLinks& most_links_of(const Topology& topology) {
  thread_local std::optional<MostLinks> kept;
  if (!kept || !kept->topology.is_copy_of(topology)) {
    kept = MostLinks{topology, most_links(topology, [&](ArcId arc) { return topology.tail(arc); }),
                     most_links(topology, [&](ArcId arc) { return topology.head(arc); })};
  }
  return *kept;
}

using Kinds = std::map<std::tuple<uint64_t, uint64_t, uint64_t>, NodeKind>;

void add(Kinds& kinds, const NodeKind& kind) {
  const auto [at, is_new] = kinds.try_emplace({kind.out, kind.in, kind.both}, kind);
  if (is_new) return;
  NodeKind& same = at->second;
  same.count += kind.count;
  same.first = std::min(same.first, kind.first);
  same.last = std::max(same.last, kind.last);
}

// Those of one kind together.
template <typename Includes>
Kinds kinds_of_factor(const Topology& factor, Includes includes) {
  Kinds out;
  for (const NodeKind& node : each_node(factor))
    if (includes(static_cast<uint32_t>(index(node.first)))) add(out, node);
  return out;
}

// What a node carries is the sum of what its coordinates carry.
template <typename Includes>
std::vector<NodeKind> kinds_of(const Topology& product, Includes includes) {
  const ProductStructure& structure = *product.product();
  Kinds so_far;
  add(so_far, {.count = 1});
  for (size_t i = 0; i < structure.factors.size(); ++i) {
    const Kinds factor = kinds_of_factor(structure.factors[i], [&](uint32_t c) { return includes(i, c); });
    const uint64_t stride = structure.strides[i];
    Kinds longer;
    for (const auto& [ignored, a] : so_far) {
      for (const auto& [also_ignored, b] : factor) {
        add(longer, {a.out + b.out, a.in + b.in, a.both + b.both, a.count * b.count,
                     id_at<NodeId>(index(a.first) + stride * index(b.first)),
                     id_at<NodeId>(index(a.last) + stride * index(b.last))});
      }
    }
    so_far = std::move(longer);
  }
  std::vector<NodeKind> out;
  for (const auto& [ignored, kind] : so_far) out.push_back(kind);
  return out;
}

}  // namespace

uint64_t arc_count(const Topology& topology) {
  if (!topology.is_outline()) return topology.num_arcs();
  return sum_over_factors(topology, [&](const Topology& factor) {
    return arc_count(factor) * (topology.num_nodes() / factor.num_nodes());
  });
}

bool is_complete(const Topology& topology) {
  if (topology.is_outline()) return false;
  const uint64_t n = topology.num_nodes();
  return topology.num_arcs() == n * (n - 1);
}

bool has_wide_arcs(const Topology& topology) {
  if (topology.is_outline()) return std::ranges::any_of(topology.product()->factors, &has_wide_arcs);
  return topology.capacity_range().second > 1;
}

uint64_t most_neighbours(const Topology& topology) {
  if (topology.is_outline()) return sum_over_factors(topology, most_neighbours);
  uint64_t most = 0;
  for (const NodeId v : topology.nodes()) most = std::max<uint64_t>(most, topology.out_degree(v));
  return most;
}

uint64_t most_links_out(const Topology& topology) {
  if (topology.is_outline()) return sum_over_factors(topology, most_links_out);
  return most_links_of(topology).out;
}

uint64_t most_links_in(const Topology& topology) {
  if (topology.is_outline()) return sum_over_factors(topology, most_links_in);
  return most_links_of(topology).in;
}

std::pair<uint64_t, uint64_t> links_of_endpoints(const Topology& topology) {
  // Every card is asked in pieces that depend on it: what was found last is kept.
  thread_local std::optional<std::pair<Topology, std::pair<uint64_t, uint64_t>>> kept;
  if (kept && kept->first.is_copy_of(topology)) return kept->second;
  std::pair<uint64_t, uint64_t> out{UINT64_MAX, 0};
  for (const NodeId v : topology.endpoints()) {
    uint64_t links = 0;
    for (const ArcId arc : topology.arcs_from(v)) links += topology.capacity(arc);
    out = {std::min(out.first, links), std::max(out.second, links)};
  }
  kept.emplace(topology, out);
  return out;
}

std::vector<NodeKind> each_node(const Topology& factor) {
  std::vector<NodeKind> nodes(factor.num_nodes());
  for (const ArcId arc : factor.arcs()) {
    NodeKind& tail = nodes[index(factor.tail(arc))];
    NodeKind& head = nodes[index(factor.head(arc))];
    tail.out += factor.capacity(arc);
    head.in += factor.capacity(arc);
    // A link counts once for each of its ends: when its first arc is met, or its only one.
    const ArcId back = factor.reverse(arc);
    if (back != kNoArc && back < arc) continue;
    const uint32_t most =
        back == kNoArc ? factor.capacity(arc) : std::max(factor.capacity(arc), factor.capacity(back));
    tail.both += most;
    head.both += most;
  }
  for (uint32_t c = 0; c < nodes.size(); ++c) {
    nodes[c].count = 1;
    nodes[c].first = nodes[c].last = NodeId{c};
  }
  return nodes;
}

NodeKind kind_of(const Topology& topology, NodeId node) {
  if (!topology.is_outline()) return each_node(topology)[index(node)];
  NodeKind out{.count = 1, .first = node, .last = node};
  const ProductStructure& product = *topology.product();
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const NodeKind here = kind_of(product.factors[i], NodeId{product.coordinate(node, i)});
    out.out += here.out;
    out.in += here.in;
    out.both += here.both;
  }
  return out;
}

std::vector<NodeKind> node_kinds(const Topology& product) {
  return kinds_of(product, [](size_t, uint32_t) { return true; });
}

std::vector<NodeKind> node_kinds(const Topology& product, size_t dimension, uint32_t coordinate) {
  return kinds_of(product, [&](size_t i, uint32_t c) { return i != dimension || c == coordinate; });
}

}  // namespace quadrille
