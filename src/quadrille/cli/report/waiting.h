// Work that does not say how far it is: what it does and since when, one line on a terminal, after the first
// second.
//
//     const Waiting waiting(console, "choosing an algorithm");   // until the end of the scope
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
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

 private:
  using Clock = std::chrono::steady_clock;

  void report(std::chrono::milliseconds after);

  Console& console_;
  std::string what_;
  Clock::time_point start_ = Clock::now();
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
