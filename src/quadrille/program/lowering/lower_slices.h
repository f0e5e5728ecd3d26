// Lowering by an array layout: every message is one slice of memory at both ends, and nothing is packed.
//
//     const ArrayLayout layout = lay_out_arrays(schedule);
//     const Program program = lower_slices(schedule, layout);
//
// A rank copies its input into its array, in the order of the first arrangement; in every step it receives
// one run of slots and sends one; before a step with an arrangement it copies its array into another one in
// the new order; and in the end it copies what has arrived into its output, in the order of the sources. (The
// first and the last copy are the price of MPI's orders of input and output, and no rearrangement.) Each of
// the two arrays that are used in turn has both halves of the layout, so scratch is four times the array.
#pragma once

#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/program/rank_program.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// The programs of all ranks. The layout must be one that check_array_layout() finds nothing wrong with.
[[nodiscard]] Program lower_slices(const Schedule& schedule, const ArrayLayout& layout);

}  // namespace quadrille
