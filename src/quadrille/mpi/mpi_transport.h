// Ranks that are processes of an MPI program.
//
//     MPI_Init(...);
//     MpiTransport transport(MPI_COMM_WORLD);
//
// Gather and scatter lists become derived types over absolute addresses, so MPI moves the bytes straight from
// slot to slot; lists and messages may be longer than 2 GiB. One tag is enough: MPI keeps the order of the
// messages between two ranks, and the communicator is a copy of the caller's, used by nobody else. What is
// received to be reduced lands in memory of the transport first.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "quadrille/runtime/transport.h"

namespace quadrille {

/// When a send is over: where steps are kept apart, only when its receiver has it. (MPI calls a message sent
/// when it lies in some buffer.)
enum class SendsAre : uint8_t { kStandard, kSynchronous };

class MpiTransport final : public Transport {
 public:
  /// Collective over the communicator, like the destructor. Errors of MPI end the program, as MPI's default
  /// is.
  explicit MpiTransport(MPI_Comm communicator, SendsAre sends = SendsAre::kStandard);
  ~MpiTransport() override;

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] uint32_t num_ranks() const override { return num_ranks_; }

  Request start_send(Rank to, std::span<const ConstBytes> from) override;
  Request start_receive(Rank from, std::span<const Bytes> into, const Reduction* reduction) override;
  void wait(std::span<const Request> requests) override;
  /// MPI_Barrier.
  void barrier() override;
  /// Says what is being caught, and ends the whole MPI program: MPI has no other way to tell the peers.
  void give_up() noexcept override;

 private:
  struct Operation {
    MPI_Request request = MPI_REQUEST_NULL;
    // Of a receive that is to be reduced.
    const Reduction* reduction = nullptr;
    std::span<const Bytes> into;
    std::vector<std::byte> landed;
  };

  Request new_request();
  void reduce(Operation& operation);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  SendsAre sends_;
  Rank rank_{0};
  uint32_t num_ranks_ = 0;
  std::vector<Operation> operations_;
  std::vector<Request> free_;
  std::vector<MPI_Request> waited_;
};

}  // namespace quadrille
