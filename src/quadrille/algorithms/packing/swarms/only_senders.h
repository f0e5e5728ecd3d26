// Only senders: who alone leads to some endpoints, as a switch to its hosts, and so sends them one after another all that they are to
// have.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct OnlySender {
  uint64_t sends = 0;  ///< blocks of a step
  uint64_t late = 0;   ///< steps in which it has nothing to send yet: a router first hears of something
  std::vector<NodeId> receivers{};  ///< endpoints; each has one sender alone
};

/// Those of a network whose nodes send over so many ports.
[[nodiscard]] std::vector<OnlySender> only_senders(const Topology& topology, Ports send);

}  // namespace quadrille
