// An allreduce out of an allgather: the same read backwards, and then forwards with copies.
//
//     .applies = applies_both_ways<allgather_shells>,
//     .chunks = chunks_both_ways<allgather_shells>,
//     .prepare = both_ways<allgather_shells>,
//
// The pieces are dealt out to the ranks, the first ones to rank 0. Each rank collects the sums of its own, which is the
// allgather backwards, and then sends them to all.
#pragma once

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

/// Whether the allgather serves both halves.
[[nodiscard]] Applicability applies_both_ways(const Algorithm& allgather, const Problem& allreduce);
/// The allgather's chunks, for every rank.
[[nodiscard]] Chunking chunks_both_ways(const Algorithm& allgather, const Problem& allreduce);
/// Both halves of the allgather's plans, member by member. One half is stored on the way.
[[nodiscard]] Preparation prepare_both_ways(const Algorithm& allgather, const Problem& allreduce);

template <const Algorithm& kAllgather>
[[nodiscard]] Applicability applies_both_ways(const Problem& problem) {
  return applies_both_ways(kAllgather, problem);
}
template <const Algorithm& kAllgather>
[[nodiscard]] Chunking chunks_both_ways(const Problem& problem) {
  return chunks_both_ways(kAllgather, problem);
}
template <const Algorithm& kAllgather>
[[nodiscard]] Preparation both_ways(const Problem& problem) {
  return prepare_both_ways(kAllgather, problem);
}

}  // namespace quadrille
