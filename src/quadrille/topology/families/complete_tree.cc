#include "quadrille/topology/families/complete_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace {

// Largest number of endpoints for which the cheapest bisection is computed exactly: the work is quadratic in
// it.
constexpr Int128 kExactBisection = 1024;

// widths[l]: number of nodes of level l, from the leaves to the root.
std::vector<Int128> widths_of(const CompleteTree& tree) {
  std::vector<Int128> widths(tree.arity.size() + 1, 1);
  for (size_t l = tree.arity.size(); l-- > 0;)
    widths[l] = checked_product(widths[l + 1], tree.arity[l], "number of leaves");
  return widths;
}

// The longest way between two leaves turns at the highest level with more than one child.
Int128 leaf_diameter(const CompleteTree& tree) {
  for (size_t l = tree.arity.size(); l > 0; --l) {
    if (tree.arity[l - 1] > 1) return 2 * Int128{l};
  }
  return 0;
}

// Every node an endpoint: the status of a node follows from its parent's, because the nodes below come one
// nearer and all others one further.
void set_statuses(TopologyFacts& out, const std::vector<Int128>& widths) {
  const size_t h = widths.size() - 1;
  Int128 status = 0;
  for (size_t l = 0; l <= h; ++l) status += checked_product(widths[l], Int128{h - l}, "total distance");
  Int128 sum = status;
  out.min_status = out.max_status = status;
  Int128 below = out.nodes;  // the size of a subtree of the level
  for (size_t l = h; l-- > 0;) {
    below = (below - 1) / (widths[l] / widths[l + 1]);
    status += out.nodes - 2 * below;
    sum += checked_product(status, widths[l], "sum of all distances");
    out.min_status = std::min(*out.min_status, status);
    out.max_status = std::max(*out.max_status, status);
  }
  out.average_status = Rational::of(sum, out.nodes);
}

// Leaves are the endpoints: 2l hops to those whose lowest common ancestor is on level l.
void set_leaf_statuses(TopologyFacts& out, const std::vector<Int128>& widths) {
  Int128 status = 0;
  for (size_t l = 1; l < widths.size(); ++l) {
    status +=
        checked_product(2 * Int128{l}, widths[0] / widths[l] - widths[0] / widths[l - 1], "total distance");
  }
  out.min_status = out.max_status = status;
  out.average_status = Rational::of(status, 1);
}

using Costs = std::vector<uint64_t>;
constexpr uint64_t kImpossible = std::numeric_limits<uint64_t>::max() / 4;

// The cheapest cut of a subtree whose top lies on side 0, for each number of endpoints on side 1; for a top
// on side 1 read it backwards. Each child hangs on the top either uncut or across a link of the given
// capacity.
Costs add_child(const Costs& so_far, const Costs& child, uint64_t capacity) {
  Costs out(so_far.size() + child.size() - 1, kImpossible);
  for (size_t b = 0; b < child.size(); ++b) {
    const uint64_t cost = std::min(child[b], child[child.size() - 1 - b] + capacity);
    for (size_t a = 0; a < so_far.size(); ++a) out[a + b] = std::min(out[a + b], so_far[a] + cost);
  }
  return out;
}

uint64_t cheapest_bisection(const CompleteTree& tree) {
  Costs below{0, kImpossible};
  for (size_t l = 0; l < tree.arity.size(); ++l) {
    Costs costs = tree.routers ? Costs{0} : Costs{0, kImpossible};
    for (uint64_t child = 0; child < tree.arity[l]; ++child)
      costs = add_child(costs, below, tree.capacity[l]);
    below = std::move(costs);
  }
  const size_t endpoints = below.size() - 1;
  return std::min(below[endpoints / 2], below[endpoints - endpoints / 2]);
}

std::optional<Bisection> bisection_of(const TopologyFacts& out, const CompleteTree& tree) {
  if (out.endpoints == 1) return Bisection{.capacity = 0, .proved = true, .reason = "one endpoint"};
  if (out.nodes <= kExactBisection) {
    return Bisection{.capacity = Int128{cheapest_bisection(tree)},
                     .proved = true,
                     .reason = "exact over all cuts, level by level"};
  }
  if (tree.arity.back() % 2 != 0) return std::nullopt;
  return Bisection{.capacity = Int128{tree.arity.back() / 2} * tree.capacity.back(),
                   .proved = tree.arity.back() == 2 && tree.capacity.back() == 1,
                   .reason = "half of the root's children"};
}

}  // namespace

TopologyFacts complete_tree_facts(const CompleteTree& tree) {
  const std::vector<Int128> widths = widths_of(tree);
  const size_t h = tree.arity.size();
  TopologyFacts out;
  out.spec = tree.spec;
  for (const Int128 width : widths) out.nodes += width;
  out.endpoints = tree.routers ? widths[0] : out.nodes;
  out.links = out.nodes - 1;
  out.min_degree = 1;
  out.max_degree = std::max<Int128>(1, tree.arity.back());
  for (size_t l = 0; l + 1 < h; ++l)
    out.max_degree = std::max<Int128>(*out.max_degree, Int128{tree.arity[l]} + 1);
  out.diameter = tree.routers ? leaf_diameter(tree) : std::max<Int128>(leaf_diameter(tree), Int128{h});
  if (tree.routers) {
    set_leaf_statuses(out, widths);
  } else {
    set_statuses(out, widths);
  }
  out.node_symmetric = out.nodes == 2 && !tree.routers;
  out.bisection = bisection_of(out, tree);
  return out;
}

Topology complete_tree_topology(const SpecCall& call, const CompleteTree& tree) {
  const TopologyFacts facts = complete_tree_facts(tree);
  require_buildable(call, facts.nodes, 2 * facts.links);
  TopologyBuilder builder(tree.spec, static_cast<uint64_t>(facts.nodes));
  const auto narrow = [](const std::vector<uint64_t>& wide) {
    std::vector<uint32_t> out;
    for (const uint64_t value : wide) out.push_back(static_cast<uint32_t>(value));
    return out;
  };
  builder.tree(narrow(tree.arity), narrow(tree.capacity), tree.routers);
  return builder.build();
}

}  // namespace quadrille
