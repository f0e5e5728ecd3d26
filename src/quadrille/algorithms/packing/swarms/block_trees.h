// Block trees: an allgather, or a broadcast of many pieces, down a tree for each block, where routers have few ports.
//
// A router that is the only way to its hosts sends them every block, and that can be all that its ports carry. Whoever moves, in every
// step, as many blocks as can move (block_swarm.h) has it also send up what comes down by itself a little later. So first every
// block gets a tree to all endpoints, along which no node has much more to send, or receive, than others (block_forest.h), and a timetable
// for all of them (forest_times.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "quadrille/algorithms/packing/swarms/block_swarm.h"

namespace quadrille {

/// In at most `most` steps, for full duplex, or nothing; `least`: no plan takes fewer.
[[nodiscard]] std::optional<SwarmSteps> send_down_block_trees(const SwarmTask& task, size_t most,
                                                              uint64_t least);

}  // namespace quadrille
