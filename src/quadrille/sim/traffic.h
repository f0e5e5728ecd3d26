// Traffic: what travels in a simulation, message by message, in steps as the nodes have them.
//
//     const Traffic traffic = traffic_of(schedule, {.block_bytes = 1024, .flit_bytes = 16});
//     for (const TrafficMessage& m : traffic.messages) ..     // m.source, m.destination, m.step, m.flits
//
// Of a schedule every worm is a message, and of packets each one, or, where many may share an arc, what goes one
// path in one step. Messages are sorted by source and step, and in a step they have the order of the plan. Of other
// traffic (a flood, random destinations) the routes are a RouteTable's or those of dimension order.
//
// A path is a run of hops: at each node the position of the next arc among those that leave it, and which virtual
// channels of that arc the message may take. Sixteen bits a hop, so that a million paths stay in the cache's reach.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/model/model.h"
#include "quadrille/sim/dimension_order.h"
#include "quadrille/topology/topology.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// One hop of a path, or its end.
class Hop {
 public:
  static constexpr uint32_t kMostArcs = 0x3FFF;  ///< that leave one node
  [[nodiscard]] static constexpr Hop end() { return Hop(0xFFFF); }
  constexpr Hop(uint32_t position, VcClass allowed)
      : bits_(static_cast<uint16_t>(position | (static_cast<uint32_t>(allowed) << 14U))) {}

  [[nodiscard]] constexpr bool is_end() const { return bits_ == 0xFFFF; }
  /// Among the arcs that leave the node.
  [[nodiscard]] constexpr uint32_t position() const { return bits_ & 0x3FFFU; }
  [[nodiscard]] constexpr VcClass allowed() const { return static_cast<VcClass>(bits_ >> 14U); }

 private:
  explicit constexpr Hop(uint16_t bits) : bits_(bits) {}
  uint16_t bits_;
};

struct TrafficMessage {
  NodeId source{0};
  NodeId destination{0};
  uint32_t step = 0;
  uint32_t flits = 1;
  uint64_t release = 0;  ///< not put in before this cycle
  uint64_t path = 0;     ///< where its hops begin in Traffic::hops; after them stands Hop::end()
};

struct Traffic {
  Topology network;
  Ports send = kAllPorts;     ///< messages that a node puts in at once
  Ports receive = kAllPorts;  ///< and takes out
  bool half_duplex = false;   ///< a link carries flits in one direction at a time
  uint32_t steps = 1;
  std::vector<TrafficMessage> messages{};  ///< by source, then step
  std::vector<Hop> hops{};
  /// Paths for which no order of channels is known to the simulator: with them worms may wait in a circle.
  uint64_t paths_without_order = 0;

  /// How many messages a node may start, or end, at once: what the ports say, or one for each link.
  [[nodiscard]] uint32_t send_ports(NodeId node) const;
  [[nodiscard]] uint32_t receive_ports(NodeId node) const;
  /// Hops of a message.
  [[nodiscard]] uint32_t length(const TrafficMessage& message) const;
  /// Flits times hops, over all messages.
  [[nodiscard]] uint64_t flit_hops() const;
};

struct FlitSizes {
  uint64_t block_bytes = 1024;
  uint64_t flit_bytes = 16;
  uint32_t header_flits = 0;  ///< of each message, besides those of its blocks
};

/// The messages of a schedule. Throws InputError for flits of no bytes, and for messages, steps or paths that 32 bits
/// do not count.
[[nodiscard]] Traffic traffic_of(const Schedule& schedule, const FlitSizes& sizes);

/// A message that somebody wants sent, without a path.
struct Parcel {
  NodeId source{0};
  NodeId destination{0};
  uint32_t flits = 1;
  uint32_t step = 0;
  uint64_t release = 0;  ///< not sent before this cycle
};
/// Messages by dimension order; throws InputError for a network that is no product of rings, lines and complete graphs.
[[nodiscard]] Traffic traffic_of(const Topology& network, std::span<const Parcel> demands);

class RoutingTable;
/// All messages go as the table says instead.
void route_by(const RoutingTable& table, Traffic& traffic);

}  // namespace quadrille
