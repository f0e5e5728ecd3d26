// Balanced ways: on what hops the blocks of a total exchange go in any Cayley graph, so that no generator, and no node with
// few ports, has more to carry than it must.
//
//     const RelativeWays ways = balanced_ways(cayley, {.capacity = {1, 1, 1}, .ports = 3}, 1);
//     ways.hops(r - 1);                 // the generators on the way of r, in their order
//
// All nodes do the same: the relative message r is the blocks x -> x*r of all nodes x. Shortest ways are shared out first,
// by the generator that has least to carry. Where that leaves one with too much, a linear program tells how much of which
// trees of ways would be best (base/numbers/load_mixture.h): trees come one by one, the cheapest at the prices of the last
// mixture, and the prices prove how few steps there must be. Messages then take ways of these trees in such parts, and
// change them as long as a generator has more to carry than was proved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// What a node can do in a step.
struct StepRoom {
  std::vector<uint32_t> capacity{};  ///< by generator
  uint32_t ports = 0;                ///< messages that it sends, or receives

  /// Steps that the loads of generators need.
  [[nodiscard]] uint64_t steps(std::span<const uint64_t> loads) const;
  friend bool operator==(const StepRoom&, const StepRoom&) = default;
};

/// Of a problem on a Cayley graph: of links that correspond the narrowest counts.
[[nodiscard]] StepRoom step_room(const Problem& problem);

/// A way for every relative message but that of the identity: `pieces` times, one after another.
class RelativeWays {
 public:
  RelativeWays(uint32_t order, uint32_t pieces) : order_(order), pieces_(pieces), begin_(1, 0) {}

  [[nodiscard]] uint32_t count() const { return (order_ - 1) * pieces_; }
  [[nodiscard]] uint32_t displacement(uint32_t message) const { return 1 + message % (order_ - 1); }
  [[nodiscard]] uint32_t piece(uint32_t message) const { return message / (order_ - 1); }
  [[nodiscard]] std::span<const uint16_t> hops(uint32_t message) const {
    return std::span<const uint16_t>(hops_).subspan(begin_[message], begin_[message + 1] - begin_[message]);
  }
  [[nodiscard]] uint64_t total() const { return hops_.size(); }
  [[nodiscard]] std::vector<uint64_t> loads(size_t num_generators) const;
  /// Of the next message.
  void add(std::span<const uint16_t> hops) {
    hops_.insert(hops_.end(), hops.begin(), hops.end());
    begin_.push_back(hops_.size());
  }

 private:
  uint32_t order_;
  uint32_t pieces_;
  std::vector<uint64_t> begin_;
  std::vector<uint16_t> hops_;
};

/// Deterministic. Of a connected graph of at most 2^16 generators.
[[nodiscard]] RelativeWays balanced_ways(const CayleyStructure& cayley, const StepRoom& room,
                                         uint32_t pieces);

}  // namespace quadrille
