#include "quadrille/topology/queries/cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

using Visit = std::function<void(const Cut&)>;

// Where to cut n nodes in a row: after 1, 2, .. nodes; only up to one half when the cuts of the other half
// are translations of complements.
std::vector<uint32_t> prefix_lengths(uint32_t nodes, bool half) {
  const uint32_t last = half ? nodes / 2 : nodes - 1;
  std::vector<uint32_t> out;
  if (last <= kAllPrefixes) {
    for (uint32_t k = 1; k <= last; ++k) out.push_back(k);
    return out;
  }
  for (uint32_t i = 1; i <= kAllPrefixes; ++i) {
    out.push_back(static_cast<uint32_t>(uint64_t{last} * i / kAllPrefixes));
  }
  out.push_back(1);
  out.push_back(nodes / 2);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// True when x -> x+1 is an automorphism, so that intervals of one length are all alike.
bool is_cyclic(const Topology& topology) {
  return topology.cayley() != nullptr && topology.cayley()->group->cyclic_moduli().size() == 1;
}

void visit_prefixes(const Topology& topology, const Visit& visit) {
  const uint32_t n = topology.num_nodes();
  for (const uint32_t k : prefix_lengths(n, is_cyclic(topology))) {
    Cut cut{k == 1 ? "node " + topology.label(NodeId{0})
                   : fmt::format("nodes {} to {}", topology.label(NodeId{0}), topology.label(NodeId{k - 1})),
            std::vector<char>(n, 0)};
    std::fill_n(cut.side.begin(), k, char{1});
    visit(cut);
  }
}

void mark_subtree(const TreeStructure& tree, uint32_t level, uint32_t position, std::vector<char>& side) {
  uint32_t first = position;
  uint32_t count = 1;
  for (uint32_t l = level + 1; l-- > 0;) {
    std::fill_n(side.begin() + tree.first[l] + first, count, char{1});
    if (l == 0) break;
    first *= tree.arity[l - 1];
    count *= tree.arity[l - 1];
  }
}

// The first j children's subtrees of the leftmost and of the rightmost node of each level, and those two
// nodes' own.
void visit_subtrees(const Topology& topology, const Visit& visit) {
  const TreeStructure& tree = *topology.tree();
  for (uint32_t level = 0; level < tree.height(); ++level) {
    const uint32_t width = tree.first[level + 1] - tree.first[level];
    for (const uint32_t at : {0U, width - 1}) {
      Cut cut{fmt::format("the subtree below {}", topology.label(NodeId{tree.first[level] + at})),
              std::vector<char>(topology.num_nodes(), 0)};
      mark_subtree(tree, level, at, cut.side);
      visit(cut);
      if (width == 1) break;
    }
    const uint32_t siblings = tree.arity[level];
    for (const uint32_t j : prefix_lengths(siblings, false)) {
      if (j == 1) continue;
      Cut cut{fmt::format("the first {} subtrees below {}", j, topology.label(NodeId{tree.first[level + 1]})),
              std::vector<char>(topology.num_nodes(), 0)};
      for (uint32_t child = 0; child < j; ++child) mark_subtree(tree, level, child, cut.side);
      visit(cut);
    }
  }
}

// Everything within r hops of node 0.
void visit_balls(const Topology& topology, const Visit& visit) {
  const std::vector<uint32_t> hops = distances_from(topology, NodeId{0});
  const uint32_t furthest = *std::max_element(hops.begin(), hops.end());
  if (furthest <= 1) return;
  for (const uint32_t radius : prefix_lengths(furthest, false)) {
    Cut cut{fmt::format("all within {} hops of {}", radius, topology.label(NodeId{0})),
            std::vector<char>(topology.num_nodes(), 0)};
    for (size_t v = 0; v < hops.size(); ++v) cut.side[v] = hops[v] <= radius ? 1 : 0;
    visit(cut);
  }
}

void visit_slices(const Topology& topology, const std::function<void(const Slice&)>& visit) {
  const ProductStructure& product = *topology.product();
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const Topology& factor = product.factors[i];
    const bool whole = product.factors.size() == 1;
    const auto lift = [&](const Cut& cut) {
      visit({i,
             whole ? cut.description
                   : fmt::format("{} of {} in dimension {}", cut.description, factor.name(), i + 1),
             cut.side});
    };
    if (factor.tree() != nullptr) {
      visit_subtrees(factor, lift);
    } else {
      visit_prefixes(factor, lift);
    }
  }
}

void visit_single_nodes(const Topology& topology, const Visit& visit) {
  std::vector<uint64_t> in(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) in[index(topology.head(arc))] += topology.capacity(arc);
  std::set<std::tuple<bool, uint64_t, uint64_t>> seen;
  const bool all = topology.num_nodes() <= kAllSingleNodes;
  for (const NodeId v : topology.nodes()) {
    if (!all) {
      uint64_t out = 0;
      for (const ArcId arc : topology.arcs_from(v)) out += topology.capacity(arc);
      if (!seen.emplace(topology.rank(v).has_value(), out, in[index(v)]).second) continue;
    }
    Cut cut{"node " + topology.label(v), std::vector<char>(topology.num_nodes(), 0)};
    cut.side[index(v)] = 1;
    visit(cut);
  }
}

}  // namespace

CutCapacity capacity_across(const Topology& topology, const std::vector<char>& side) {
  QUADRILLE_CHECK(side.size() == topology.num_nodes(),
                  fmt::format("cut of {} nodes, graph of {}", side.size(), topology.num_nodes()));
  CutCapacity out;
  for (const ArcId arc : topology.arcs()) {
    const bool from = side[index(topology.tail(arc))] != 0;
    const bool to = side[index(topology.head(arc))] != 0;
    if (from && !to) out.out += topology.capacity(arc);
    if (!from && to) out.in += topology.capacity(arc);
  }
  return out;
}

CutCapacity capacity_across(const Topology& topology, const Cut& cut) {
  return capacity_across(topology, cut.side);
}

Cut cut_of(const Topology& product, const Slice& slice) {
  Cut cut{slice.description, std::vector<char>(product.num_nodes(), 0)};
  for (const NodeId v : product.nodes())
    cut.side[index(v)] = slice.side[product.product()->coordinate(v, slice.dimension)];
  return cut;
}

void for_each_structured_cut(const Topology& topology, const Visit& visit) {
  for_each_structured_cut(
      topology, [&](const Slice& slice) { visit(cut_of(topology, slice)); }, visit);
}

void for_each_structured_cut(const Topology& topology, const std::function<void(const Slice&)>& visit_slice,
                             const Visit& visit) {
  if (topology.num_nodes() == 1) return;
  if (topology.product() != nullptr) {
    visit_slices(topology, visit_slice);
  } else if (topology.tree() != nullptr) {
    visit_subtrees(topology, visit);
  } else {
    visit_prefixes(topology, visit);
    if (!is_cyclic(topology)) visit_balls(topology, visit);
  }
  // A side of a cut lists all nodes, and those of an outline are not listed.
  if (!topology.is_outline()) visit_single_nodes(topology, visit);
}

std::vector<Cut> structured_cuts(const Topology& topology) {
  std::vector<Cut> out;
  for_each_structured_cut(topology, [&](const Cut& cut) { out.push_back(cut); });
  return out;
}

}  // namespace quadrille
