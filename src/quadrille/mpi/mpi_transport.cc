#include "quadrille/mpi/mpi_transport.h"

#include <algorithm>
#include <array>
#include <exception>

#include "quadrille/base/input_error.h"
#include "quadrille/mpi/agreement.h"

namespace quadrille {
namespace {

constexpr int kTag = 0;
// MPI counts bytes of one piece with an int.
constexpr size_t kLargestPiece = size_t{1} << 30U;

// What MPI calls a buffer: an address, a count, a type. The type may be freed as soon as the operation that
// uses it has been started.
class MpiBuffer {
 public:
  template <typename Range>
  explicit MpiBuffer(std::span<const Range> ranges) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> addresses;
    for (const Range& range : ranges) {
      for (size_t at = 0; at < range.size(); at += kLargestPiece) {
        lengths.push_back(static_cast<int>(std::min(kLargestPiece, range.size() - at)));
        MPI_Aint address = 0;
        MPI_Get_address(range.data() + at, &address);
        addresses.push_back(address);
        first_ = addresses.size() == 1 ? const_cast<std::byte*>(range.data()) : MPI_BOTTOM;
      }
    }
    if (lengths.size() <= 1) {
      count_ = lengths.empty() ? 0 : lengths.front();
      return;
    }
    if (lengths.size() > kLargestPiece) throw InputError("a message has too many pieces for MPI to count");
    count_ = 1;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), addresses.data(), MPI_BYTE,
                             &type_);
    MPI_Type_commit(&type_);
    derived_ = true;
  }
  MpiBuffer(const MpiBuffer&) = delete;
  MpiBuffer& operator=(const MpiBuffer&) = delete;
  ~MpiBuffer() {
    if (derived_) MPI_Type_free(&type_);
  }

  [[nodiscard]] void* first() const { return first_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  void* first_ = nullptr;
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  bool derived_ = false;
};

}  // namespace

MpiTransport::MpiTransport(MPI_Comm communicator, SendsAre sends) : sends_(sends) {
  MPI_Comm_dup(communicator, &communicator_);
  int number = 0;
  MPI_Comm_rank(communicator_, &number);
  rank_ = id_at<Rank>(number);
  MPI_Comm_size(communicator_, &number);
  num_ranks_ = static_cast<uint32_t>(number);
}

MpiTransport::~MpiTransport() { MPI_Comm_free(&communicator_); }

Request MpiTransport::new_request() {
  if (free_.empty()) {
    operations_.emplace_back();
    return id_at<Request>(operations_.size() - 1);
  }
  const Request request = free_.back();
  free_.pop_back();
  return request;
}

Request MpiTransport::start_send(Rank to, std::span<const ConstBytes> from) {
  const Request request = new_request();
  const MpiBuffer buffer(from);
  const auto send = sends_ == SendsAre::kSynchronous && !from.empty() ? MPI_Issend : MPI_Isend;
  send(buffer.first(), buffer.count(), buffer.type(), static_cast<int>(index(to)), kTag, communicator_,
       &operations_[index(request)].request);
  return request;
}

Request MpiTransport::start_receive(Rank from, std::span<const Bytes> into, const Reduction* reduction) {
  const Request request = new_request();
  Operation& operation = operations_[index(request)];
  operation.reduction = reduction;
  std::array<Bytes, 1> landed;
  if (reduction != nullptr) {
    operation.into = into;
    operation.landed.resize(total_bytes(into));
    landed[0] = operation.landed;
    into = landed;
  }
  const MpiBuffer buffer(into);
  MPI_Irecv(buffer.first(), buffer.count(), buffer.type(), static_cast<int>(index(from)), kTag, communicator_,
            &operation.request);
  return request;
}

void MpiTransport::wait(std::span<const Request> requests) {
  waited_.clear();
  for (const Request request : requests) waited_.push_back(operations_[index(request)].request);
  MPI_Waitall(static_cast<int>(waited_.size()), waited_.data(), MPI_STATUSES_IGNORE);
  for (const Request request : requests) {
    reduce(operations_[index(request)]);
    free_.push_back(request);
  }
}

void MpiTransport::barrier() { MPI_Barrier(communicator_); }

void MpiTransport::reduce(Operation& operation) {
  if (operation.reduction == nullptr) return;
  const std::byte* from = operation.landed.data();
  for (const Bytes range : operation.into) {
    operation.reduction->apply(range.data(), from, range.size());
    from += range.size();
  }
  operation.reduction = nullptr;
}

void MpiTransport::give_up() noexcept { end_all_for(std::current_exception()); }

}  // namespace quadrille
