// One swarm: one try of a swarm of blocks (block_swarm.h), step by step, with ties drawn by its number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/tight_sets.h"

namespace quadrille {

/// Who hears first in a stream with few ports: whoever lacks most, and which of these before others. Everybody has to send in nearly
/// every step, so those come first who have nothing to send, or whose neighbours lack much.
struct SwarmOrder {
  bool idle_first = false;
  bool by_neighbours = false;
};

inline constexpr uint32_t kSwarmWays =
    4;  ///< of tries that have ways: the first so many are each in a way of its own

struct SwarmTry {
  uint64_t number = 0;
  bool has_ways =
      false;  ///< there is time for ways; where there are no gates the tries after these are all in one
  SwarmOrder preferred{};
  std::span<const TightSet> tight{};  ///< whose borders are watched, in place of gates
};

/// Nothing where it takes more than `most` steps, or the work (blocks and links looked at) is used up.
[[nodiscard]] std::optional<SwarmSteps> one_swarm(const SwarmTask& task, const SwarmTry& way, size_t most,
                                                  uint64_t& work);

/// All blocks come from one root.
[[nodiscard]] bool is_stream(const SwarmTask& task);
/// New blocks that a node looks at for each of its channels where they are many (looks_at_few), and no more: all are about as scarce.
inline constexpr size_t kEnoughPerChannel = 64;
[[nodiscard]] bool looks_at_few(const Topology& net, uint64_t blocks, bool is_stream);
/// Of a stream: about, if it is no faster than one port, and what a look at each piece over every link is in all steps.
[[nodiscard]] uint64_t steps_of_stream(const Topology& net, uint64_t pieces);
[[nodiscard]] uint64_t looks_at_all(const Topology& net, uint64_t pieces);

}  // namespace quadrille
