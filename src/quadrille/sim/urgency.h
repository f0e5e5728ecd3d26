// Urgency: how urgent the messages of a simulation are, by the priorities that a plan states.
//
//     const Urgency urgency(traffic, sync.priorities);
//     urgency.of(m)          // 0 before all others, below urgency.levels()
//
// Levels that no message has are passed over, so that as many are left as the network has to tell apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/sim/traffic.h"

namespace quadrille {

class Urgency {
 public:
  Urgency(const Traffic& traffic, std::span<const Priority> priorities);
  [[nodiscard]] uint32_t levels() const { return levels_; }
  [[nodiscard]] uint32_t of(uint32_t message) const { return levels_ == 1 ? 0 : of_[message]; }

 private:
  uint32_t levels_ = 1;
  std::vector<uint32_t> of_{};
};

}  // namespace quadrille
