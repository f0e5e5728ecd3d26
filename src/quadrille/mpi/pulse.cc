#include "quadrille/mpi/pulse.h"

#include <algorithm>
#include <new>

namespace quadrille {
namespace {

constexpr auto kBetweenCounts = std::chrono::milliseconds(250);

}  // namespace

Pulse::Pulse(MPI_Comm all, MPI_Comm here) : here_(here) {
  int rank = 0;
  int size = 1;
  int me = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_rank(here, &me);
  MPI_Comm_size(here, &size);
  me_ = static_cast<size_t>(me);
  ranks_.resize(static_cast<size_t>(size));
  MPI_Allgather(&rank, 1, MPI_INT, ranks_.data(), 1, MPI_INT, here);
  void* own = nullptr;
  // One line more, as memory begins where MPI likes.
  MPI_Win_allocate_shared(me == 0 ? static_cast<MPI_Aint>((ranks_.size() + 1) * sizeof(Count)) : 0, 1,
                          MPI_INFO_NULL, here, &own, &window_);
  MPI_Aint bytes = 0;
  int unit = 1;
  void* memory = nullptr;
  MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory);
  const auto place = reinterpret_cast<uintptr_t>(memory);
  // Each rank sees the same line begin there: mappings begin with a page.
  counts_ = reinterpret_cast<Count*>((place + sizeof(Count) - 1) / sizeof(Count) * sizeof(Count));
  new (&counts_[me_]) Count{};
  MPI_Barrier(here);
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, kBetweenCounts, [this] { return is_over_; })) ++counts_[me_].value;
  });
}

Pulse::~Pulse() {
  // Who is done is alive as long as others may wait.
  MPI_Barrier(here_);
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
  MPI_Win_free(&window_);
}

Pulse::Watch::Watch(const Pulse& pulse) : pulse_(pulse), seen_(pulse.ranks_.size()) {}

std::optional<int> Pulse::Watch::lost(std::chrono::milliseconds limit) {
  const Clock::time_point now = Clock::now();
  const Clock::duration since = now - looked_;
  if (since < kBetweenCounts) return std::nullopt;
  looked_ = now;
  for (size_t i = 0; i < seen_.size(); ++i) {
    if (i == pulse_.me_) continue;
    const uint64_t count = pulse_.counts_[i].value.load();
    const bool has_moved = count != seen_[i].count;
    seen_[i].still =
        has_moved ? Clock::duration{} : seen_[i].still + std::min<Clock::duration>(since, 4 * kBetweenCounts);
    seen_[i].count = count;
    if (seen_[i].still > limit) return pulse_.ranks_[i];
  }
  return std::nullopt;
}

}  // namespace quadrille
