// RoutingTable: where a message goes next, by where it is and where it is bound for, as a file says it.
//
//     # node  destination  next   channels
//     0       2            1
//     0       *            3                 every destination that node 0 has no line of its own for
//     (0,1)   (1,1)        (1,1)  high       nodes by number or label; any (default), low or high channels
//
// A line for every node and destination, in any order; text after '#' is a remark. Low channels are the first half of those
// of a link, high ones the others; of a single one nothing is asked. Every endpoint must reach every other one: what is
// missing on the way is a hole, and a way that comes back a circle, and both are refused when the file is read.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/sim/traffic.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class RoutingTable {
 public:
  static constexpr uint32_t kMostNodes = 16384;  ///< two bytes for each pair of them

  /// Throws InputError with line and column for what is no such file or does not fit the network, and for holes and circles.
  [[nodiscard]] static RoutingTable read(const Topology& network, std::string_view text,
                                         std::string_view source);

  /// The hop from a node towards a destination.
  [[nodiscard]] Hop next(NodeId node, NodeId destination) const {
    return next_[index(node) * nodes_ + index(destination)];
  }

 private:
  RoutingTable() = default;
  size_t nodes_ = 0;
  std::vector<Hop> next_{};  // Hop::end(): nothing is said
};

}  // namespace quadrille
