// What `quadrille show` answers about one network when it is asked for more than its figures: paths between
// two nodes, the bound of a cut, bisections by search.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/cli/console.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Node-disjoint paths from one node to another, each named by number or label.
int show_paths(const Topology& topology, std::string_view from, std::string_view to, bool json,
               Console& console);

/// What a cut proves for a total exchange: the given nodes on one side, all others on the other.
int show_cut(const Topology& topology, std::string_view nodes, bool json, Console& console);

/// The same for every part of a partition against the rest. The file has a number per line for every node,
/// as METIS writes them; blank lines and lines that start with '#' or '%' do not count.
int show_partition(const Topology& topology, const std::string& path, bool json, Console& console);

/// The cheapest bisection, by a complete search where the graph is small, and the one that METIS finds.
int show_bisections(const Topology& topology, bool json, Console& console);

}  // namespace quadrille
