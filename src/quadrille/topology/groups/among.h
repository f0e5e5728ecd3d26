// Among: a collective among some of the endpoints of a network.
//
//     const std::vector<Rank> ranks = read_ranks(net, "0,3,8-15", "--ranks");     // also "0-63:4", "(0,1)"
//     const Topology some = among(net, ranks, Relay::kYes, "...");                // the others are routers
//
// What comes out is a network whose endpoints are those ranks, in ascending order: its rank i is the i-th of them. Nodes keep
// their labels. Where the others do not relay they are gone, and what is left of a grid remembers that it is one: every second
// row of a complete product, a corner of a torus.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology/faults/node_numbers.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Ranks separated by commas or blanks: a number, a range 8-15, every fourth of a range 0-63:4 (of all: :4), or a node's label.
/// They come out ascending. Where nodes have been taken away, numbers are ranks of the network that still had them, or of this
/// one. Throws InputError, beginning with `what`, for no rank, one that does not exist or is gone, a router, and one that is
/// named twice.
[[nodiscard]] std::vector<Rank> read_ranks(const Topology& whole, std::string_view text,
                                           std::string_view what, Numbers numbers = Numbers::kHere);

/// The shortest text that read_ranks() reads as these ranks, which ascend: "0,3,8-15", "0-60:4".
[[nodiscard]] std::string ranks_text(std::span<const Rank> ranks);

enum class Relay : uint8_t { kYes, kNo };

/// The network whose endpoints are these ranks of `whole`, ascending. With Relay::kNo the other endpoints are taken away, and
/// routers that lead nowhere then. Throws InputError that names two ranks where one cannot reach the other any more.
[[nodiscard]] Topology among(const Topology& whole, std::span<const Rank> ranks, Relay relay,
                             const std::string& name);

}  // namespace quadrille
