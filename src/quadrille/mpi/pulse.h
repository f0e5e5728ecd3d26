// Pulse: whether the other ranks are still alive, also those that have nothing to say.
//
//     Pulse pulse(all, here, heads);
//     Pulse::Watch watch(pulse);
//     while (!has_come()) if (const auto rank = watch.lost(limit)) ...
//
// A thread of each rank counts on, in memory that the ranks of a machine share: it needs nobody else, and no MPI. A process that is stopped does not count,
// one that computes for hours does. Where there are several machines, and MPI bears threads, that of the first rank of each sends the counts of its machine to
// rank 0, and has those of all others from it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace quadrille {

class Pulse {
 public:
  /// Collective over `all`, which numbers ranks; `here`: those of a machine, `heads`: the first of each machine, null at others. Nobody else speaks
  /// there meanwhile.
  Pulse(MPI_Comm all, MPI_Comm here, MPI_Comm heads);
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;
  ~Pulse();

  /// Of one who waits.
  class Watch {
   public:
    explicit Watch(const Pulse& pulse);
    /// A rank (of `all`) that has not counted for so long. What this process did not see, as it was stopped itself, does not count.
    [[nodiscard]] std::optional<int> lost(std::chrono::milliseconds limit);

   private:
    using Clock = std::chrono::steady_clock;
    struct Seen {
      uint64_t count = 0;
      Clock::duration still{};
    };

    const Pulse& pulse_;
    Clock::time_point looked_ = Clock::now();
    std::vector<Seen> seen_;
  };

 private:
  struct alignas(64) Count {
    std::atomic<uint64_t> value;
  };

  // Between the first ranks of machines.
  class Post;

  void count_on();

  MPI_Comm all_;
  MPI_Comm here_;
  MPI_Win window_ = MPI_WIN_NULL;
  Count* counts_ = nullptr;
  std::vector<int> ranks_;  // of `all`, that are seen: those of this machine, or all
  size_t me_ = 0;           // among them
  std::unique_ptr<Post> post_;
  bool sees_all_ = false;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace quadrille
