// Transport: how a rank reaches the others. The one virtual interface of the runtime.
//
// A rank starts sends and receives and waits for them later. What is sent is a list of byte ranges (gather),
// what is received into is another list (scatter); only their totals must agree. Nothing is copied that need
// not be: threads copy straight from the sender's ranges into the receiver's, MPI gets derived types.
//
//     const Request in = transport.start_receive(left, into);
//     const Request out = transport.start_send(right, from);
//     transport.wait(std::array{in, out});
//
// The i-th send of a to b is received by the i-th receive of b from a: no tags. A send may be incomplete
// until its receive was started. Ranges, and the lists of them, must stay as they are until their wait: what
// is sent must not be written, what is received must not be touched. With a reduction the received bytes are
// combined with those in the ranges, all of it inside the wait, and in the order in which it names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "quadrille/base/ids.h"
#include "quadrille/runtime/reduction.h"

namespace quadrille {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

/// A send or receive under way: a number that only its transport understands. Good for one wait.
enum class Request : uint32_t {};

/// One rank's end. Used by one thread at a time.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual uint32_t num_ranks() const = 0;

  [[nodiscard]] virtual Request start_send(Rank to, std::span<const ConstBytes> from) = 0;
  [[nodiscard]] virtual Request start_receive(Rank from, std::span<const Bytes> into,
                                              const Reduction* reduction = nullptr) = 0;
  /// Returns when all of them are complete. Throws if one cannot be, because a peer has given up.
  virtual void wait(std::span<const Request> requests) = 0;
  /// Returns when every rank has called it. Here by null messages: in round k everybody tells the rank 2^k
  /// further on, and hears from the one 2^k back.
  virtual void barrier();
  /// After an error: gives up what was started. When it returns nobody reads or writes this rank's ranges any
  /// more, and peers that wait for it are told.
  virtual void give_up() noexcept = 0;
};

/// Bytes in a list of ranges.
template <typename Range>
[[nodiscard]] size_t total_bytes(std::span<const Range> ranges) {
  size_t total = 0;
  for (const Range& range : ranges) total += range.size();
  return total;
}

}  // namespace quadrille
