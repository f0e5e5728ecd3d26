// Needless ports: as many as a node can make use of are all.
#pragma once

#include <cstdint>

#include "quadrille/model/model.h"

namespace quadrille {

/// The ports without their count where no node starts, or ends, more than `most_messages` in a step anyway.
[[nodiscard]] inline Ports without_needless_count(Ports ports, uint64_t most_messages) {
  return ports.unlimited() || ports.count >= most_messages ? Ports{} : ports;
}

}  // namespace quadrille
