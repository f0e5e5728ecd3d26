// What an MPI library may be expected to take: its own algorithms by the textbook.
//
//     const LibraryTime library(parse_topology("complete(16)"), model);
//     library.of(CollectiveKind::kAllreduce, 1024)    // recursive doubling: 4 (ts + 1024 tx)
//
// A program must not make anything slower, and what it replaces is no plan of ours. So the library is given the best that
// it can have: binomial trees, recursive doubling and halving, rings, Bruck's exchange, scatter and allgather for long
// vectors (Rajeev Thakur, Rolf Rabenseifner, William Gropp: Optimization of collective communication operations in MPICH,
// IJHPCA 19(1), 2005), a rank one message at a time. Its messages do go over the network: when all ranks send in a round,
// each link carries on an average as much as their ways are long in all by how many links there are, however well
// they are routed, and some link as much as any algorithm must put on it. That is charged, and no more. And a program is charged a start-up for every message of a rank, not for
// every step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/collective/collective.h"
#include "quadrille/model/model.h"
#include "quadrille/program/rank_program.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class LibraryTime {
 public:
  /// Ranks are the endpoints, by number. Of more than 2,048 ranks some are looked at, evenly. Takes the constants and the
  /// duplex of the model.
  LibraryTime(const Topology& topology, const Model& model);

  /// Of a message as --bytes counts it. `rounds`: what some link must carry of whatever algorithm, in messages
  /// (TimeBound::rounds). Not for alltoallv.
  [[nodiscard]] double of(CollectiveKind kind, uint64_t bytes, double rounds = 0) const;

 private:
  uint32_t ranks_ = 1;
  CostConstants cost_{};
  double start_up_ = 0;  // with the way that a message has, a mean
  // When every rank sends a byte 1, 2, 4, .. ranks on: what that takes, in bytes over a link that nothing else uses.
  std::vector<double> loads_{};
  double to_all_ = 0;  // the same for a byte to each other rank, in all
};

/// Of each step the messages that one rank sends, or receives, beyond its first, added up.
[[nodiscard]] uint64_t further_messages_of(const Program& program);

/// Sizes in bytes, both inclusive.
struct MessageSizes {
  uint64_t from = 0;
  uint64_t to = UINT64_MAX;
  friend bool operator==(const MessageSizes&, const MessageSizes&) = default;
};

/// Of these sizes those at which a program that takes `base` + `per_byte` x bytes is faster than the library.
[[nodiscard]] std::optional<MessageSizes> where_faster(const LibraryTime& library, CollectiveKind kind,
                                                       double rounds, double base, double per_byte,
                                                       MessageSizes sizes);

}  // namespace quadrille
