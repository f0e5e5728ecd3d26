// What the families share whose graphs are read, from a file or from the spec itself.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Nothing is known about such a graph before it is read, and then it is counted; distances and cuts are left
/// to search.
[[nodiscard]] TopologyFacts read_graph_facts(const Topology& net);

/// The text as a quoted argument of a spec.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace quadrille
