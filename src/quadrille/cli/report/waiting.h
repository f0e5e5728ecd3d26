// Long work: what it does and since when, one line on a terminal, after the first second; how far it is once
// it says so.
//
//     Waiting waiting(console, "making the plan");   // until the end of the scope
//     waiting.made(12, 40, 3000);                    // any time, from the thread that works
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "quadrille/cli/console.h"

namespace quadrille {

/// Prints from a thread of its own, and only if the console shows progress; wipes its line in the end. Nobody
/// else prints on the console's `err` meanwhile.
class Waiting {
 public:
  Waiting(Console& console, std::string what, std::chrono::milliseconds after = std::chrono::seconds(1));
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  /// So many steps, with so many transfers; `of`: how many there will be, where that is known. Without transfers: so many
  /// parts of what is waited for. Costs next to nothing.
  void made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers);
  /// A search has a plan of so many steps, of which `least` are needed.
  void found(uint64_t steps, uint64_t least);
  /// It has paths, of which the busiest link needs so many, and perhaps no plan yet.
  void paths_found(uint64_t steps, uint64_t least);

 private:
  using Clock = std::chrono::steady_clock;

  void report(std::chrono::milliseconds after);
  [[nodiscard]] std::string how_far() const;

  Console& console_;
  std::string what_;
  Clock::time_point start_ = Clock::now();
  std::atomic<uint64_t> steps_{0};
  std::atomic<uint64_t> of_{0};  // 0: not known
  std::atomic<uint64_t> transfers_{0};
  std::atomic<uint64_t> found_{0};
  std::atomic<uint64_t> paths_{0};
  std::atomic<uint64_t> least_{0};
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  bool printed_ = false;
  std::thread thread_;
};

/// What `work` returns, with a line about it if it takes long.
template <typename Work>
auto while_waiting(Console& console, std::string what, Work work) {
  const Waiting waiting(console, std::move(what));
  return work();
}

}  // namespace quadrille
