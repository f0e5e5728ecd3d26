// Nodes as they are named on the command line: by number or by label.
#pragma once

#include <string_view>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The node with that number or label. `what` is the option that the text was given for. Throws InputError.
[[nodiscard]] NodeId find_node(const Topology& topology, std::string_view text, std::string_view what);

/// Nodes separated by commas, "0,3,(1,2)", and ranges of numbers, "0-7". Throws InputError.
[[nodiscard]] std::vector<NodeId> find_nodes(const Topology& topology, std::string_view text,
                                             std::string_view what);

}  // namespace quadrille
