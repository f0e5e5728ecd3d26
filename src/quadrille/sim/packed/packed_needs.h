// What packed_worms.h asks of a network: at most 32 lanes a router, links of one unit, and nothing that makes a cycle of one router
// unlike that of the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

/// Of the largest router: lanes (virtual channels of the links that come in, and injection ports) and ports.
struct PackedNeeds {
  uint32_t lanes = 0;
  uint32_t inputs = 0;
  uint32_t outputs = 0;  ///< the receive ports are one
  uint32_t receive_ports = 0;
};
[[nodiscard]] PackedNeeds packed_needs(const Traffic& traffic, uint32_t vcs);

/// Why it must be gone through lane by lane; nothing where it need not.
[[nodiscard]] std::optional<std::string> not_packed(const Traffic& traffic, const WormParameters& parameters,
                                                    const WormRun& run);

}  // namespace quadrille
