// Counts for tests, and problems of any collective.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "quadrille/collective/counts.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The standard ones, and alltoallv: of any_problem().
inline constexpr std::array kEveryCollective = {
    CollectiveKind::kBroadcast,     CollectiveKind::kScatter,   CollectiveKind::kGather,
    CollectiveKind::kAllgather,     CollectiveKind::kAlltoall,  CollectiveKind::kReduce,
    CollectiveKind::kReduceScatter, CollectiveKind::kAllreduce, CollectiveKind::kAlltoallv};

/// Some pairs have nothing, most have up to `most` blocks, and some ranks have blocks for themselves. Somebody has
/// something.
[[nodiscard]] Counts mixed_counts(uint32_t ranks, uint32_t most, uint64_t seed = 1);

/// So much of the pairs have something; how much falls with the destination's place in a ranking that all sources
/// share, place^-exponent. About as many blocks as there would be in an alltoall among so many of the pairs.
[[nodiscard]] Counts zipf_counts(uint32_t ranks, double exponent, double density, uint64_t seed = 1);

/// A standard problem; for alltoallv with mixed counts of two or three blocks at most, other ones for other `pieces`.
[[nodiscard]] Problem any_problem(const Topology& topology, CollectiveKind kind, const Model& model = {},
                                  NodeId root = kNoNode, uint32_t pieces = 1);

}  // namespace quadrille
