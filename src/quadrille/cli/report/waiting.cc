#include "quadrille/cli/report/waiting.h"

#include <fmt/format.h>

#include <ostream>
#include <system_error>
#include <utility>

namespace quadrille {

Waiting::Waiting(Console& console, std::string what, std::chrono::milliseconds after)
    : console_(console), what_(std::move(what)) {
  if (!console.shows_progress) return;
  try {
    thread_ = std::thread([this, after] { report(after); });
  } catch (const std::system_error&) {
    // Without a thread to be had the work is done in silence.
  }
}

Waiting::~Waiting() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
  if (printed_) console_.err << "\r\x1b[K" << std::flush;
}

void Waiting::report(std::chrono::milliseconds after) {
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, after, [this] { return is_over_; })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    console_.err << fmt::format("\r{}, {:.0f} s\x1b[K", what_, seconds) << std::flush;
    printed_ = true;
  }
}

}  // namespace quadrille
