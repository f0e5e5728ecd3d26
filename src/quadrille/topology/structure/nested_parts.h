// Nested parts: a network's nodes, joined two parts at a time, those with most links for their sizes first.
//
// Average linkage (Sokal and Michener 1958) on links, of which those with common neighbours at their ends count more: cliques, boxes and
// boughs of a tree are parts before they are joined to others.
//
//     for_each_partition(net, [](const std::vector<uint32_t>& part_of) { .. });   // first every node by itself
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Partitions of fewer and fewer parts, about a tenth fewer each time, down to two: the part of every node, numbered from 0.
void for_each_partition(const Topology& topology,
                        const std::function<void(const std::vector<uint32_t>&)>& use);

}  // namespace quadrille
