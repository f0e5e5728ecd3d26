// Array layouts: where every block lies in the arrays of its holders, such that every transfer of a schedule
// is one slice of memory at both ends.
//
// A rank keeps the blocks that it holds in an array of slots, which exists twice: a slot is a position and a
// half. What a transfer carries lies in neighbouring positions of one half, in some order; it is received
// into neighbouring free positions, where it can be into those that the receiver's own send frees in the same
// step, in the other half, so that the two do not meet. Sooner or later the blocks of the next transfer do
// not lie together: then, before that step, all ranks rearrange their arrays. The first arrangement is that
// of the input; how many blocks the ranks move in the later ones is the price of never packing a message:
//
//     const ArrayLayout layout = lay_out_arrays(schedule);
//     layout.rearranged();     // blocks that the busiest rank moves between steps
//
// For the mesh exchange in two dimensions there are two rearrangements, as its authors say.
//
// Only collectives whose blocks move (scatter, gather, alltoall), one send and one receive of a rank in a
// step, and no routers on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/verify/finding.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// A place in a rank's array.
struct ArraySlot {
  uint32_t position = 0;
  uint8_t half = 0;
  friend bool operator==(const ArraySlot&, const ArraySlot&) = default;
};

struct ArrangedBlock {
  BlockId block{0};
  ArraySlot slot{};
  friend bool operator==(const ArrangedBlock&, const ArrangedBlock&) = default;
};

/// New places for all that the ranks hold, before a step.
struct Arrangement {
  uint32_t before_step = 0;
  std::vector<std::vector<ArrangedBlock>> ranks;  ///< all that they hold, by position
};

/// Where a transfer is read and written: so many slots from these on.
struct ArraySlice {
  ArraySlot from{};
  ArraySlot to{};
  uint32_t count = 0;
};

/// What a rank moves before a step.
struct RearrangedBefore {
  uint32_t step = 0;
  uint64_t blocks = 0;
  friend bool operator==(const RearrangedBefore&, const RearrangedBefore&) = default;
};

/// Blocks, of all steps.
[[nodiscard]] uint64_t total(const std::vector<RearrangedBefore>& before);

struct ArrayLayout {
  uint32_t positions = 0;                          ///< of the longest array
  std::vector<Arrangement> arrangements;           ///< the first is that of the input, before step 0
  std::vector<std::vector<ArraySlice>> slices;     ///< per step and transfer
  std::vector<std::vector<BlockId>> slice_blocks;  ///< per step, slice after slice, by position

  /// Arrangements after the first.
  [[nodiscard]] uint32_t rearrangements() const {
    return arrangements.empty() ? 0 : static_cast<uint32_t>(arrangements.size() - 1);
  }
  /// Blocks that the rank which moves most of them moves in these.
  [[nodiscard]] uint64_t rearranged() const;
  /// When it moves them: rearranged() in its parts, of the first rank that moves so many.
  [[nodiscard]] std::vector<RearrangedBefore> rearranged_before() const;
};

/// Why there is no layout for a schedule, as a sentence fragment; nothing where lay_out_arrays has one.
[[nodiscard]] std::optional<std::string> why_no_array_layout(const Schedule& schedule);

/// A layout with few rearrangements: before a step that needs one, the order is chosen with which the ranks
/// come farthest. Throws InputError where there is none.
[[nodiscard]] ArrayLayout lay_out_arrays(const Schedule& schedule);

/// The checker, which trusts nothing of lay_out_arrays(): every transfer is one slice of what its sender has
/// there, in one half; it lands in free slots that the receiver is not sending from; an arrangement moves all
/// that a rank holds and nothing else, each block to a slot of its own. At most `max_findings`, rule names
/// "slice", "landing" and "arrangement".
[[nodiscard]] std::vector<Finding> check_array_layout(const Schedule& schedule, const ArrayLayout& layout,
                                                      size_t max_findings = 20);

}  // namespace quadrille
