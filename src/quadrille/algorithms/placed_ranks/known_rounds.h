// What is known of rounds before they are made: how many there are at least, and, where all ranks are neighbours, what they take.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Rounds around a ring, once and there and back, and the same of halves that go both ways.
[[nodiscard]] uint64_t hops_round(const Problem& problem);
[[nodiscard]] uint64_t hops_round_twice(const Problem& problem);
[[nodiscard]] uint64_t hops_half_round(const Problem& problem);
[[nodiscard]] uint64_t hops_half_round_twice(const Problem& problem);
/// Around the lines of one dimension after the other; there and back.
[[nodiscard]] uint64_t hops_along_sides(const Problem& problem);
[[nodiscard]] uint64_t hops_along_sides_twice(const Problem& problem);
/// Of chunks that follow each other: a rank receives one a round.
[[nodiscard]] uint64_t round_a_piece(const Problem& problem);

/// Of ring_allgather, two_way_ring_allgather, trivance_allgather and bruck_allgather (gather_rounds.h) of the problem's pieces, forwards or backwards.
[[nodiscard]] std::optional<RoundsOutline> ring_outline(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> two_way_ring_outline(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> trivance_outline(const Problem& problem);
[[nodiscard]] RoundsOutline bruck_outline(const Problem& problem, uint32_t messages);
/// The same there and back (both_ways in rank_rounds.h), of a vector; nothing where it is not known how many messages of a node there are.
[[nodiscard]] std::optional<RoundsOutline> ring_outline_both_ways(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> two_way_ring_outline_both_ways(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> trivance_outline_both_ways(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> bruck_outline_both_ways(const Problem& problem, uint32_t messages);
/// Down a binomial tree (knomial_scatter in tree_rounds.h), then around a ring.
[[nodiscard]] std::optional<RoundsOutline> scatter_and_ring_outline(const Problem& problem);
/// bucket_allgather, once and both ways: where there is one dimension, and one way around it, that is a ring; of others what they take
/// at least, and nothing on complete networks.
[[nodiscard]] std::optional<RoundsOutline> bucket_outline(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> bucket_outline_both_ways(const Problem& problem);
/// pat_allgather, once and both ways, where every rank has as many pieces.
[[nodiscard]] std::optional<RoundsOutline> pat_outline(const Problem& problem);
[[nodiscard]] std::optional<RoundsOutline> pat_outline_both_ways(const Problem& problem);
/// Each rank sends its pieces to all others in one round.
[[nodiscard]] std::optional<RoundsOutline> all_at_once_outline(const Problem& problem);

}  // namespace quadrille
