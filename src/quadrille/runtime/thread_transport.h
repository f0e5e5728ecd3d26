// Ranks that are threads of one process: the transport that needs no set-up.
//
//     run_threads(16, [&](Transport& transport) { ... });   // 16 threads; returns when all have returned
//
// Zero copy: a send leaves a note for its receiver, who copies straight from the sender's memory while it
// waits; the sender's wait ends when that copy is done. Waiting threads sleep (there may be many more ranks
// than cores): every rank has one bell, a counter that others raise when something it may wait for has
// changed.
#pragma once

#include <functional>
#include <memory>

#include "quadrille/runtime/transport.h"

namespace quadrille {

/// What a wait throws when another rank has given up: never the first error, which is what its cause threw.
class PeerGaveUp : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "another rank has given up"; }
};

/// The mailboxes that a number of ranks share. Thread-safe; must outlive its transports.
class ThreadHub {
 public:
  explicit ThreadHub(uint32_t num_ranks);
  ThreadHub(const ThreadHub&) = delete;
  ThreadHub& operator=(const ThreadHub&) = delete;
  ~ThreadHub();

  /// The end of one rank; ask for each once.
  [[nodiscard]] std::unique_ptr<Transport> transport(Rank rank);
  /// Ends all waits of all ranks, now and later, with PeerGaveUp.
  void give_up() noexcept;

  class Shared;

 private:
  std::unique_ptr<Shared> shared_;
};

/// Runs the function as every rank, each in its own thread, and returns when all have returned. If some
/// throw, the others are released from their waits and the first error (of the lowest rank) is thrown again.
void run_threads(uint32_t num_ranks, const std::function<void(Transport&)>& run_rank);

}  // namespace quadrille
