// Same sums: whether an allreduce gives every rank the very same sum, where adding rounds.
//
// Sums of floats depend on how they are put together. Programs rely on all ranks having the same bits after an allreduce: who
// tests the sum to leave a loop would wait for ever for the others. An exchange of partial sums keeps that (a + b is b + a),
// copies of one sum do, and windows, which each rank joins from its own place on, do not.
#pragma once

#include "quadrille/program/lowering/translations.h"
#include "quadrille/program/rank_program.h"

namespace quadrille {

/// Whether the outputs of all ranks are put together alike, up to which of two summands is on the left. Of an allreduce that
/// check_program() finds no fault with; other collectives have no sum at more than one rank.
[[nodiscard]] bool gives_same_sums(const Program& program);
/// The same of rank 0's program and all of its images. Where blocks are dealt out, rank 0's alone is followed: a sum that a rank
/// holds is put together as rank 0's of the block that lies so from it is, with other ranks in it.
[[nodiscard]] bool gives_same_sums(const RankProgram& first, const Collective& collective,
                                   const Translations& translations);

}  // namespace quadrille
