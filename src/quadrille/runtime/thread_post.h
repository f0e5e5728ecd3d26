// Nodes that are threads of one process: letters go from hand to hand.
//
//     run_nodes(24, [&](NodePost& post) { ... });   // 24 threads, routers among them; returns when all have
//
// Every node has an inbox that others push letters into and a bell that wakes it: there are many more nodes
// than cores, so who waits sleeps.
#pragma once

#include <cstdint>
#include <functional>

#include "quadrille/runtime/letter.h"

namespace quadrille {

/// Runs the function as every node, each in its own thread. If some throw, the others are released from their
/// waits and the first error (of the lowest node) is thrown again. Throws InputError where there are not
/// enough threads.
void run_nodes(uint32_t num_nodes, const std::function<void(NodePost&)>& run_node);

}  // namespace quadrille
