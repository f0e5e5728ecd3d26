// From the bandwidths of edges to capacities: the exact ratio to what a link of capacity 1 carries.
//
// Links of 100 and 400 Gbit/s get the capacities 1 and 4, links of 25 and 10 get 5 and 2: the largest bandwidth that all of
// them are multiples of has capacity 1. Who gives a bandwidth for it gets capacities that are rounded down, so that no
// link is asked for more than it carries.
#pragma once

#include <memory>
#include <string>

#include "quadrille/topology/graph_files/graph_tables.h"
#include "quadrille/topology/link_rates.h"

namespace quadrille {

/// Where messages on a graph point to.
struct GraphText {
  const std::string& source;
  const std::string& content;

  /// "net.gml: the edge from a to b has no bandwidth", with line and column where they are known.
  [[noreturn]] void fail(const GraphTables& tables, const GraphTables::Edge& edge,
                         std::string_view why) const;
};

/// Sets the capacities of edges that have bandwidths; `step` is that of capacity 1, as text, or empty. What it returns is
/// per edge; null where no edge has a bandwidth or latency. Throws InputError where some edges have one and others not, where an
/// edge has a capacity, too, and where the capacities would be absurd.
[[nodiscard]] std::shared_ptr<LinkRates> rate_edges(GraphTables& tables, const std::string& step,
                                                    const GraphText& text);

/// The same per arc of the network that was made of the edges.
[[nodiscard]] std::shared_ptr<const LinkRates> rates_of_arcs(const LinkRates& of_edges,
                                                             const GraphTables& tables, const Topology& net);

}  // namespace quadrille
