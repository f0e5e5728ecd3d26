// ThreadTeam: threads that share the parts of a job, over and over.
//
//     ThreadTeam team(4);
//     team.for_each(parts.size(), [&](size_t i) { work_on(parts[i]); });   // returns when all parts are done
//
// The caller is one of them, and does all alone where the system gives no thread: a job takes longer then,
// and nothing else. Threads are started by the first job, wait between jobs, and end with the team. A job that is over before one of
// them wakes does not wait for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "quadrille/base/threads/bell.h"

namespace quadrille {

class ThreadTeam {
 public:
  /// At most that many, the caller included.
  explicit ThreadTeam(unsigned most) : most_(most) {}
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Calls work(i) for every i below `count`, each once, in any order and at the same time. What one of them
  /// throws is thrown here when all have ended; parts that were not begun by then are left out. One caller at
  /// a time.
  void for_each(size_t count, const std::function<void(size_t)>& work);

  /// How many there are since the first job.
  [[nodiscard]] size_t size() const { return threads_.size() + 1; }

 private:
  void start();
  void serve();
  // Whether the job is still open.
  [[nodiscard]] bool enter();
  void take_parts() noexcept;

  unsigned most_;
  bool started_ = false;
  std::vector<std::thread> threads_;

  // The job: written by the caller while it is closed and nobody is inside, read by those who are.
  const std::function<void(size_t)>* work_ = nullptr;
  size_t count_ = 0;
  std::atomic<size_t> next_{0};  // part
  static constexpr uint32_t kClosed = 1U << 31U;
  std::atomic<uint32_t> inside_{kClosed};  // threads besides the caller
  bool over_ = false;                      // written before the last round
  Bell round_;
  Bell done_;  // when a closed job is left by the last one

  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace quadrille
