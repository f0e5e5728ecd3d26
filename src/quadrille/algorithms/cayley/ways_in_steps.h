// Ways in steps: the hops of relative messages in an order in which every generator is busy in every step, as far as that
// goes.
//
//     const HopSteps steps = ways_in_steps(cayley, ways, room);
//     for (const RelativeHop& hop : steps.step(t)) ...
//
// A shop of unit operations: messages are jobs, generators are machines. A message goes its way hop by hop, but may take hops
// along generators that commute in any order: of a group without such ones it is a job shop, of an abelian one an open shop.
// Those generators come first that have most left to carry, and along each that message goes which has most hops left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/cayley/balanced_ways.h"

namespace quadrille {

/// All nodes forward a relative message along a generator.
struct RelativeHop {
  uint32_t message;
  uint32_t generator;
};

class HopSteps {
 public:
  void reserve(uint64_t hops) { hops_.reserve(hops); }
  [[nodiscard]] uint64_t count() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const RelativeHop> step(uint64_t t) const {
    return std::span<const RelativeHop>(hops_).subspan(begin_[t], begin_[t + 1] - begin_[t]);
  }
  void add(std::span<const RelativeHop> step) {
    hops_.insert(hops_.end(), step.begin(), step.end());
    begin_.push_back(hops_.size());
  }
  [[nodiscard]] HopSteps reversed() const;

 private:
  std::vector<uint64_t> begin_{0};
  std::vector<RelativeHop> hops_;
};

/// Tries several orders, forwards and backwards, where there are more steps than the loads need. Deterministic.
[[nodiscard]] HopSteps ways_in_steps(const CayleyStructure& cayley, const RelativeWays& ways,
                                     const StepRoom& room);

}  // namespace quadrille
