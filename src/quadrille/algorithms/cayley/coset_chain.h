// Coset chain: an allreduce of one block on a Cayley graph, the same at all nodes, in sums that double and more.
//
// Leave out one generator after another, with its inverse: the rest generate subgroups, each in the one before. The sums are
// made from the smallest on. A node x that has the sum over x H for a subgroup H hears from x r, for one r of every left coset r H
// of the next subgroup G, of the sum over x r H; together they are x G. It comes over a tree of the cosets: whoever sends over
// generator g what he calls r H sends what its receiver calls g^-1 r H. As every node does the same, a step uses a generator
// once. On a star graph of n symbols a subgroup has at most n cosets, all two hops away, so that it takes 2 n - 3 steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class CosetChain {
 public:
  /// What every node sends over a generator in one step: `from` are the slots, `to` the receiver's.
  struct Move {
    uint32_t generator;
    SumSlots slots;
  };
  using Steps = std::vector<std::vector<Move>>;

  /// Elements and generators that are looked at, for all sets of generators; of how many generators it may be.
  static constexpr uint64_t kMostWork = 300'000'000;
  static constexpr size_t kMostClasses = 12;
  [[nodiscard]] static uint64_t work(const CayleyStructure& cayley);

  /// At most so many generators in a step. Nothing where a node would need more slots than there are.
  [[nodiscard]] static std::optional<Steps> shortest(const CayleyStructure& cayley, uint64_t ports);
};

}  // namespace quadrille
