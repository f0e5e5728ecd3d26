#include "quadrille/topology/families/switched/folded_clos.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace {

// Nodes of level l: one subtree for each way down from the top to it, as many tops of each as ways up.
std::vector<Int128> widths_of(const FoldedClos& clos) {
  std::vector<Int128> out;
  for (size_t l = 0; l <= clos.children.size(); ++l) {
    Int128 width = 1;
    for (size_t i = 0; i < clos.children.size(); ++i)
      width = checked_product(width, Int128{i < l ? clos.parents[i] : clos.children[i]}, "number of nodes");
    out.push_back(width);
  }
  return out;
}

}  // namespace

TopologyFacts folded_clos_facts(const FoldedClos& clos) {
  const std::vector<Int128> widths = widths_of(clos);
  const size_t height = clos.children.size();
  TopologyFacts out;
  out.spec = clos.spec;
  out.endpoints = widths[0];
  for (size_t l = 0; l <= height; ++l) {
    out.nodes += widths[l];
    const Int128 up = l < height ? Int128{clos.parents[l]} : Int128{0};
    const Int128 down = l > 0 ? Int128{clos.children[l - 1]} : Int128{0};
    out.links += checked_product(widths[l], up, "number of links");
    out.min_degree = l == 0 ? up + down : std::min(*out.min_degree, up + down);
    out.max_degree = l == 0 ? up + down : std::max(*out.max_degree, up + down);
  }
  // Two hosts meet at the lowest level where one subtree holds both.
  Int128 status = 0;
  Int128 below = 1;
  out.diameter = 0;
  for (size_t l = 1; l <= height; ++l) {
    const Int128 subtree = checked_product(below, Int128{clos.children[l - 1]}, "number of hosts");
    status += checked_product(2 * Int128{l}, subtree - below, "total distance");
    if (subtree > below) out.diameter = 2 * Int128{l};
    below = subtree;
  }
  out.min_status = out.max_status = status;
  out.average_status = Rational::of(status, 1);
  return out;
}

// A node of level l: (subtree, y_1, .., y_l), row-major, where y_i says which of parents[i-1] ways leads up there.
Topology folded_clos_topology(const SpecCall& call, const FoldedClos& clos) {
  const TopologyFacts facts = folded_clos_facts(clos);
  require_buildable(call, facts.nodes, 2 * facts.links);
  const std::vector<Int128> widths = widths_of(clos);
  const auto nodes = static_cast<uint64_t>(facts.nodes);
  TopologyBuilder builder(clos.spec, nodes);
  builder.reserve_arcs(static_cast<uint64_t>(2 * facts.links));
  std::vector<NodeId> endpoints;
  std::vector<std::string> labels;
  for (uint64_t host = 0; host < static_cast<uint64_t>(widths[0]); ++host) {
    endpoints.push_back(NodeId{static_cast<uint32_t>(host)});
    labels.push_back(std::to_string(host));
  }
  uint64_t first = 0;
  uint64_t tops = 1;  // of a subtree of level l
  for (size_t l = 0; l < clos.children.size(); ++l) {
    const auto width = static_cast<uint64_t>(widths[l]);
    const uint64_t above = first + width;
    for (uint64_t i = 0; i < width; ++i) {
      const uint64_t subtree = i / tops / clos.children[l];
      for (uint64_t y = 0; y < clos.parents[l]; ++y) {
        const uint64_t parent = (subtree * tops + i % tops) * clos.parents[l] + y;
        builder.link(NodeId{static_cast<uint32_t>(first + i)}, NodeId{static_cast<uint32_t>(above + parent)},
                     static_cast<uint32_t>(clos.capacity[l]));
      }
    }
    first = above;
    tops *= clos.parents[l];
    for (uint64_t i = 0; i < static_cast<uint64_t>(widths[l + 1]); ++i)
      labels.push_back(fmt::format("{}@{}", i, l + 1));
  }
  builder.endpoints(std::move(endpoints));
  builder.labels(std::move(labels));
  return builder.build();
}

}  // namespace quadrille
