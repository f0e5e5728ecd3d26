// Nodes that are MPI ranks: rank v is node v, routers too.
//
// A letter is one MPI message, of any size up to what MPI counts; the receiver asks how large it is before it
// takes it. Its tick is in the letter.
#pragma once

#include <mpi.h>

#include <vector>

#include "quadrille/runtime/letter.h"

namespace quadrille {

class MpiPost final : public NodePost {
 public:
  /// Collective.
  explicit MpiPost(MPI_Comm communicator);
  ~MpiPost() override;

  [[nodiscard]] NodeId self() const override { return self_; }
  /// Throws InputError for a letter that is larger than MPI can count.
  void send(NodeId to, Letter::Ptr letter) override;
  [[nodiscard]] Letter::Ptr receive(NodeId from) override;
  void meet() override;
  /// Whoever catches the error ends all ranks.
  void give_up() noexcept override;

 private:
  void forget_sent();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  NodeId self_{0};
  bool gave_up_ = false;
  // Under way: a letter stays until MPI has sent it.
  std::vector<Letter::Ptr> sent_;
  std::vector<MPI_Request> requests_;
  std::vector<int> finished_;
};

}  // namespace quadrille
