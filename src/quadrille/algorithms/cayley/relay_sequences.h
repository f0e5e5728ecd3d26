// Relay sequences: a total exchange in few start-ups on a Cayley graph with few ports.
//
// In step t every node sends one message along each generator of a small set, the same set at all nodes, and each block that
// has to go by d takes at most one of these hops: d is a product of some of them in their order. A sequence of S such sets costs S
// start-ups, and with one port as many rounds as all d take hops. On complete graphs these are Bruck's index algorithm where
// the sets are j r^i, for radix r, digit i and j < r (Bruck, Ho, Kipnis, Upfal, Weathersby 1997), and any other displacements of which
// few are needed for every d: of 64 nodes 8 start-ups need 146 rounds, with radices 155, and no plan less than 145.
//
//     for (const RelaySequence& sequence : *relay_sequences(cayley, room)) sequence.start_ups(), sequence.rounds
//     const std::vector<uint32_t> hops = relay_hops(cayley, room, sequence);   // graphs/translated_messages.h
//
// Sequences are found by local search, for one number of start-ups after the other, from radices where the graph is complete and
// else from generators that bring most to where they have to go.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quadrille/algorithms/cayley/balanced_ways.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct RelaySequence {
  std::vector<std::vector<uint32_t>> steps{};  ///< positions of generators
  uint64_t rounds = 0;                         ///< blocks over the busiest generator, step by step, added up
  uint64_t busiest = 0;                        ///< blocks over the busiest generator in all steps

  [[nodiscard]] uint64_t start_ups() const { return steps.size(); }
};

/// What was found last is kept.
using RelaySequences = std::shared_ptr<const std::vector<RelaySequence>>;

/// Of at most so many nodes, or of any number of them if all are neighbours and the group is cyclic.
inline constexpr uint32_t kMostNodesOfRelays = 1024;
[[nodiscard]] bool is_cyclic_and_complete(const CayleyStructure& cayley);

/// By rising start-ups; none that is between two others, which take less time for messages of any size. Deterministic. `room.ports` is
/// less than the number of generators.
[[nodiscard]] RelaySequences relay_sequences(const CayleyStructure& cayley, const StepRoom& room);
/// The same of ranks that all reach each other, each with so many messages a step: generator g leads to the rank g + 1 further on.
[[nodiscard]] RelaySequences relay_sequences_of_ranks(uint32_t ranks, uint32_t messages);

/// Which generator each displacement takes in each step: hops[d * start_ups + t] is 1 + its position, or 0.
[[nodiscard]] std::vector<uint32_t> relay_hops(const CayleyStructure& cayley, const StepRoom& room,
                                               const RelaySequence& sequence);
[[nodiscard]] std::vector<uint32_t> relay_hops_of_ranks(uint32_t ranks, const RelaySequence& sequence);

}  // namespace quadrille
