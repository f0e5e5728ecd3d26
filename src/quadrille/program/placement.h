// Placement: in which slot of which buffer every value of a dataflow lies.
//
// What a rank has first lies in its input, which is never written. What it must have last is received right
// into its output wherever the slot is free at that time; everything else lies in scratch, whose slots are
// used again as soon as nothing can still read them. Two values may share a slot only if one is dead in a
// step before the other's slot is written, because within a step nothing says what happens first.
//
// A partial result stays in its slot from reduction to reduction, unless a send may still be reading it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/dataflow.h"
#include "quadrille/program/rank_program.h"

namespace quadrille {

struct Place {
  Buffer buffer = Buffer::kInput;
  uint32_t slot = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// What happens to a message where it arrives.
enum class Landing : uint8_t {
  kValue,    ///< it is received into the place of its value
  kReduced,  ///< it is reduced into the place of its value as it is received
  kAside,    ///< it is received into scratch and then reduced into the place of its value
};

struct Placement {
  std::vector<Place> values;            ///< per value
  std::vector<Place> arrivals;          ///< per message: where it is received
  std::vector<Landing> landings;        ///< per message
  std::vector<uint32_t> scratch_slots;  ///< per rank: the most that are in use at once
};

/// `aside`: nothing is reduced as it is received, so that its place in the order can be kept. `only`: the dataflow holds the values and
/// results of one rank, and of others what it gets and what it gives alone; only its own values get places.
[[nodiscard]] Placement place_values(const Dataflow& flow, const BufferLayout& layout, bool aside = false,
                                     std::optional<Rank> only = {});

}  // namespace quadrille
