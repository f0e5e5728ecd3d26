// Faulty origin: of a network that a fault has left, what it was before.
//
//     const auto origin = faulty_origin(parse_topology("without(torus(4,4);\"link (0,0) (0,1)\")"));
//     origin->whole.name();     // "torus(4,4)"
//     origin->original[5];      // the number that node 5 had there
//
// A topology that without() made forgets its structure; its name still says where it comes from, and that is read
// again. Algorithms that keep a closed form and move what the fault has hit start here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct FaultyOrigin {
  Topology whole;                ///< the network without faults
  std::vector<NodeId> original;  ///< of each node that is left, its number there
};

/// Whether a file that the name names is opened once more: a name from somebody's plan must not open one.
enum class OriginFiles : uint8_t { kRefused, kOpened };

/// Nothing for a network whose name is not without(..), or comes out of a file that is not opened.
[[nodiscard]] std::optional<FaultyOrigin> faulty_origin(const Topology& topology,
                                                        OriginFiles files = OriginFiles::kRefused);

}  // namespace quadrille
