// Paths at least: how many steps an exchange takes in which every packet goes its own way.
//
// A card that has to search for its paths asks this first, whether there may be any that are worth making.
#pragma once

#include <cstdint>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Of an alltoall or alltoallv: what a node has to send, or to receive, and what all of them have to, over what they can in
/// a step. One search of the graph for each endpoint.
[[nodiscard]] uint64_t paths_at_least(const Problem& problem);

}  // namespace quadrille
