// Total exchanges of worms on short rings and lines that were found by search and not by a rule.
//
// Given who sends to whom in every phase, what to send is an integer flow from each source through the
// phases, and the largest worm of each phase is to be small: a linear program bounds it, an integer one
// solves it. tools/search looks for the senders by simulated annealing with the linear program as the judge,
// and writes the entries of data/worm_exchanges (stored/stored_entry.h):
//
//     graph ring(9)
//     start-ups 5
//     blocks 12
//     at-least 12
//     turn 3
//     ...
//     data
//     0+1 0:1,4
//     1+2 1:3,8
//     2-3 2:6,8
//     ;
//     ...
//
// A line of the data is a worm: from node 0, one place up, with the blocks 0->1 and 0->4; "2-3" goes from
// node 2 three places down. "4-7" stands for 4,5,6,7. A semicolon ends a phase. Only one of all worms that
// are alike is written: a ring may be turned by `turn` places, and turned over, x to 1-x, if it is `mirrored`
// (a line: x to length-1-x), and all images of a worm with a block are in the schedule, too. `at-least` is
// the bound of the linear program for these senders.
//
// Whoever asks for costs reads heads only; a schedule's data is read each time that the schedule is made.
//
// How far each entry is from the best possible: docs/wormhole_front.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/stored/stored_entry.h"

namespace quadrille {

struct FoundBlock {
  uint32_t source;
  uint32_t target;
};

struct FoundWorm {
  uint32_t from;
  uint32_t to;
  bool up;  ///< which way round
  std::vector<FoundBlock> blocks;
};

struct FoundCost {
  uint32_t start_ups = 0;
  uint32_t blocks = 0;  ///< the sum over the phases of the largest worm
  friend bool operator==(const FoundCost&, const FoundCost&) = default;
};

struct FoundSchedule {
  uint32_t length = 0;
  std::vector<std::vector<FoundWorm>> phases;

  [[nodiscard]] FoundCost cost() const;
};

/// What has been found for a ring of that length, by rising start-ups; often nothing.
[[nodiscard]] std::vector<FoundCost> found_ring_costs(uint32_t length);
/// One of them.
[[nodiscard]] FoundSchedule found_ring(uint32_t length, uint32_t start_ups);

/// The same for lines: no worm uses a link between the ends.
[[nodiscard]] std::vector<FoundCost> found_line_costs(uint32_t length);
[[nodiscard]] FoundSchedule found_line(uint32_t length, uint32_t start_ups);

/// Lengths for which something has been found, rising.
[[nodiscard]] std::vector<uint32_t> found_ring_lengths();
[[nodiscard]] std::vector<uint32_t> found_line_lengths();

/// What the heads of entries say.
[[nodiscard]] const StoredKind& stored_exchange_kind();
/// The schedule of any entry of that kind. Throws InternalError, with file and line, for one that is spoilt.
[[nodiscard]] FoundSchedule read_stored_exchange(const StoredEntry& entry);

}  // namespace quadrille
