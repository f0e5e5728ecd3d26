// Bell: threads that sleep until another one rings.
//
//     const uint32_t heard = bell.heard();
//     if (!there_is_work()) bell.wait(heard);      // not missed, if it rang in between
//
// std::atomic::wait says the same, but the library yields the processor a few times before it sleeps, and where
// other programs want the processor, too, each of these takes as long as their turns.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace quadrille {

class Bell {
 public:
  /// How often it has rung. What was written before a ring is seen by whoever heard it.
  [[nodiscard]] uint32_t heard() const { return rung_.load(std::memory_order_acquire); }

  void ring() {
    rung_.fetch_add(1);
    if (sleeping_.load() == 0) return;
    // Whoever is about to sleep holds the lock until it does.
    { const std::lock_guard lock(mutex_); }
    changed_.notify_all();
  }

  /// Returns once it has rung since.
  void wait(uint32_t heard) {
    for (int look = 0; look < kLooks; ++look)
      if (rung_.load(std::memory_order_acquire) != heard) return;
    std::unique_lock lock(mutex_);
    sleeping_.fetch_add(1);
    changed_.wait(lock, [&] { return rung_.load() != heard; });
    sleeping_.fetch_sub(1);
  }

 private:
  static constexpr int kLooks = 64;

  std::atomic<uint32_t> rung_{0};
  std::atomic<uint32_t> sleeping_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace quadrille
