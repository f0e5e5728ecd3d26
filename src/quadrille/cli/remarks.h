// What a person should know of how the network was read: on the console's `err`, once a command.
#pragma once

#include <cstddef>

#include "quadrille/cli/console.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// "warning: net.graphml: these attributes mean nothing here: of edges weight (24)"; nothing where there is nothing to say.
/// The first `known` are passed over.
void say_remarks(const Topology& network, Console& console, size_t known = 0);

}  // namespace quadrille
