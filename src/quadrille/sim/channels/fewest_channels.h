// The fewest virtual channels with which given routes cannot deadlock, found by an exact search.
//
// Every message may take, on each link of its route, the channel that it is told, whatever other messages are told. With so many
// channels a link there is no deadlock if the channels can be put in one order in which every route only rises. That is a formula:
// which channel a route takes at each hop, and which of two channels comes first. One channel fewer is refuted by a
// proof that is checked, and what is found is checked by taking channels away that nobody waits in front of.
//
//     const FewestChannels fewest = fewest_channels(network, Routes::kDimensionOrder, nullptr);
//     fewest.channels;      // 2 on ring(5)
//     fewest.clauses;       // of the formula for 1, which is refuted
//
// For small networks: the formula has a clause for every three channels.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/sim/channels/channel_dependencies.h"
#include "quadrille/sim/routing_table.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct FewestChannels {
  uint32_t channels = 0;  ///< enough, and none fewer is
  uint64_t routes = 0;    ///< that are no part of another one
  uint64_t clauses =
      0;  ///< of the formula that one fewer is enough, which is refuted; 0 where one channel is enough
  uint64_t lemmas = 0;  ///< of the refutation, besides the contradiction that clauses come to by themselves
};

/// Of dimension order, shortest paths or a table, all of them from endpoint to endpoint; up*/down* needs one channel by its rule.
/// Throws InputError where the network is too large for the search, or `conflicts` are not enough for it.
[[nodiscard]] FewestChannels fewest_channels(const Topology& network, Routes routes,
                                             const RoutingTable* table, uint32_t conflicts = 2'000'000);

}  // namespace quadrille
