// What an MPI library may be expected to take: its own algorithms by the textbook.
//
//     library_time(CollectiveKind::kAllreduce, 16, cost, 1024)    // recursive doubling: 4 (ts + 1024 tx)
//
// A program must not make anything slower, and what it replaces is no plan of ours. So the library is given the best that
// it can have: binomial trees, recursive doubling and halving, Bruck's exchange, scatter and allgather for long vectors (Rajeev
// Thakur, Rolf Rabenseifner, William Gropp: Optimization of collective communication operations in MPICH, IJHPCA 19(1), 2005),
// one message at a time, over links that no other message uses, whatever the distance. And a program is charged a start-up
// for every message of a rank, not for every step.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/collective/collective.h"
#include "quadrille/model/model.h"
#include "quadrille/program/rank_program.h"

namespace quadrille {

/// Of a message as --bytes counts it. Not for alltoallv.
[[nodiscard]] double library_time(CollectiveKind kind, uint32_t ranks, const CostConstants& cost,
                                  uint64_t bytes);

/// Of each step the messages that one rank sends, or receives, beyond its first, added up.
[[nodiscard]] uint64_t further_messages_of(const Program& program);

/// Sizes in bytes, both inclusive.
struct MessageSizes {
  uint64_t from = 0;
  uint64_t to = UINT64_MAX;
  friend bool operator==(const MessageSizes&, const MessageSizes&) = default;
};

/// Of these sizes those at which a program that takes `base` + `per_byte` x bytes is faster than the library, if it is at
/// one of the ends.
[[nodiscard]] std::optional<MessageSizes> where_faster(CollectiveKind kind, uint32_t ranks,
                                                       const CostConstants& cost, double base,
                                                       double per_byte, MessageSizes sizes);

}  // namespace quadrille
