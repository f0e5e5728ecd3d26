// Nodes as people name them: by number or by label.
//
//     find_node(topology, "(0,1)", "root")        // by its label
//     find_nodes(topology, "0-7,(1,2)", "cut")    // eight by their numbers, one by its label
#pragma once

#include <string_view>
#include <vector>

#include "quadrille/topology/faults/node_numbers.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The node with that number or label. `what` is what the text was given for, an option perhaps: the message
/// begins with it. Throws InputError.
[[nodiscard]] NodeId find_node(const Topology& topology, std::string_view text, std::string_view what,
                               Numbers numbers = Numbers::kHere);

/// Nodes separated by commas, "0,3,(1,2)", and ranges of numbers, "0-7". Throws InputError.
[[nodiscard]] std::vector<NodeId> find_nodes(const Topology& topology, std::string_view text,
                                             std::string_view what, Numbers numbers = Numbers::kHere);

}  // namespace quadrille
