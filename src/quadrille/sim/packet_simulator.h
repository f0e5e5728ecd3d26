// Packets, stored and forwarded: every node takes a message in whole before it sends it on.
//
//     const Simulation done = simulate_packets(traffic, {.flit_time = 1, .latency = 2}, {.synchronisation = sync});
//
// A message of F flits is on a link for F times flit_time and arrives whole, `latency` later; alone it takes
// h (F flit_time + latency) over h hops. Messages wait for links, and for ports where a node has one, first come first served;
// of those that come in the same tick the one with the lower number first. So no queue is stored: a message begins when it
// is there and the link is free, and the link is then free when it has passed. An event a hop.
//
// Where no two messages meet and all go one hop, worms (worm_simulator.h) take the same: as_worms() says with which latency.
#pragma once

#include <cstdint>
#include <functional>

#include "quadrille/sim/simulation.h"

namespace quadrille {

struct PacketParameters {
  uint64_t flit_time = 1;  ///< ticks of a flit on a link of capacity 1; a link of capacity c is c of them
  uint64_t latency = 1;    ///< ticks from when the last flit is sent until the message is there

  /// One hop takes as long as a worm's.
  [[nodiscard]] static PacketParameters as_worms(const WormParameters& worms) {
    return {.flit_time = 1, .latency = uint64_t{worms.hop_delay()} - 1 + worms.router_delay};
  }
};

/// `channel_waits` of the result counts messages that had to wait for a link or port. Throws InputError for more than one
/// port and less than all. In `run.uses` a unit of a link's capacity is a VC, held as long as the message is sent.
[[nodiscard]] Simulation simulate_packets(const Traffic& traffic, const PacketParameters& parameters,
                                          const WormRun& run);

/// As sweep_seeds() of worms: in how many seeds do messages wait for each other?
[[nodiscard]] SeedSweep sweep_packet_seeds(const Traffic& traffic, const PacketParameters& parameters,
                                           const WormRun& run, uint64_t seeds, const Sharing& how);

}  // namespace quadrille
