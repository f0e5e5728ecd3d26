// BesideFormula: how long a schedule takes cycle by cycle when barriers keep its steps apart, beside what a formula counts.
//
//     const std::optional<BesideFormula> found = beside_formula(traffic, {}, 20.0);
//     found->cycles == found->flits + found->heads + found->rest()
//
// A formula like S ts + R b tx counts what goes over the busiest link of each step; `flits` is that, in whole flits. It says nothing of
// the way of heads (or so much a hop): `heads`. What is left over, rest(), is more than 0 where messages wait for each other, and
// less where the largest message of a step is not the one that goes farthest.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

struct BesideFormula {
  uint64_t cycles = 0;
  uint64_t flits =
      0;  ///< of each step those over its busiest link for a unit of its capacity, rounded up; added up
  uint64_t heads = 0;  ///< of each step the cycles that the longest way takes besides flits; added up
  uint64_t contention = 0;
  bool deadlock = false;  ///< then `cycles` are those until it
  /// Whether worms would meet if nodes went on without barriers, without stalls; nothing where that is not known.
  std::optional<bool> meets_without{};

  [[nodiscard]] int64_t rest() const {
    return static_cast<int64_t>(cycles) - static_cast<int64_t>(flits + heads);
  }
};

/// Nothing where messages meet and flit by flit it would take more than so many seconds.
[[nodiscard]] std::optional<BesideFormula> beside_formula(const Traffic& traffic,
                                                          const WormParameters& parameters,
                                                          double most_seconds);

}  // namespace quadrille
