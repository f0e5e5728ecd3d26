#include "quadrille/mpi/mpi_post.h"

#include <fmt/format.h>

#include <climits>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr int kLetterTag = 1;
// So many letters may be under way before those that have been sent are looked for.
constexpr size_t kManyLetters = 32;

}  // namespace

MpiPost::MpiPost(MPI_Comm communicator) {
  MPI_Comm_dup(communicator, &communicator_);
  int number = 0;
  MPI_Comm_rank(communicator_, &number);
  self_ = id_at<NodeId>(number);
}

// After an error the others do not come to a collective call, and MPI may still read what was sent: the end
// of the program frees it.
MpiPost::~MpiPost() {
  if (!gave_up_) {
    MPI_Comm_free(&communicator_);
    return;
  }
  for (Letter::Ptr& letter : sent_) static_cast<void>(letter.release());
}

void MpiPost::send(NodeId to, Letter::Ptr letter) {
  const Bytes wire = letter->wire();
  if (wire.size() > INT_MAX) {
    throw InputError(fmt::format("a message of {} bytes is more than MPI counts, {}; take smaller blocks",
                                 wire.size(), INT_MAX));
  }
  if (sent_.size() >= kManyLetters) forget_sent();
  requests_.emplace_back();
  MPI_Isend(wire.data(), static_cast<int>(wire.size()), MPI_BYTE, static_cast<int>(index(to)), kLetterTag,
            communicator_, &requests_.back());
  sent_.push_back(std::move(letter));
}

void MpiPost::forget_sent() {
  finished_.resize(requests_.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, finished_.data(),
               MPI_STATUSES_IGNORE);
  if (count <= 0) return;
  size_t kept = 0;
  for (size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (kept != i) {
      requests_[kept] = requests_[i];
      sent_[kept] = std::move(sent_[i]);
    }
    ++kept;
  }
  requests_.resize(kept);
  sent_.resize(kept);
}

Letter::Ptr MpiPost::receive(NodeId from) {
  const int source = from == kAnyone ? MPI_ANY_SOURCE : static_cast<int>(index(from));
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Mprobe(source, kLetterTag, communicator_, &message, &status);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  Letter::Ptr letter = Letter::make(static_cast<size_t>(bytes));
  MPI_Mrecv(letter->wire().data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  letter->from = id_at<NodeId>(status.MPI_SOURCE);
  return letter;
}

void MpiPost::meet() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
  sent_.clear();
  MPI_Barrier(communicator_);
}

void MpiPost::give_up() noexcept { gave_up_ = true; }

}  // namespace quadrille
