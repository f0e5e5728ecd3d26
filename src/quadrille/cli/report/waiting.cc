#include "quadrille/cli/report/waiting.h"

#include <fmt/format.h>

#include <ostream>
#include <system_error>
#include <utility>

#include "quadrille/base/text.h"

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

void Waiting::made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) {
  steps_.store(steps, std::memory_order_relaxed);
  of_.store(of.value_or(0), std::memory_order_relaxed);
  transfers_.store(transfers, std::memory_order_relaxed);
}

void Waiting::found(uint64_t steps, uint64_t least) {
  least_.store(least, std::memory_order_relaxed);
  found_.store(steps, std::memory_order_relaxed);
}

void Waiting::paths_found(uint64_t steps, uint64_t least) {
  least_.store(least, std::memory_order_relaxed);
  paths_.store(steps, std::memory_order_relaxed);
}

std::string Waiting::how_far() const {
  const uint64_t steps = steps_.load(std::memory_order_relaxed);
  const uint64_t found = found_.load(std::memory_order_relaxed);
  const uint64_t least = least_.load(std::memory_order_relaxed);
  const uint64_t paths = paths_.load(std::memory_order_relaxed);
  const auto above = [least](uint64_t what) {
    return fmt::format("{:.1f} % above the bound",
                       100.0 * static_cast<double>(what - least) / static_cast<double>(least));
  };
  if (steps == 0 && found > 0 && least > 0 && found >= least)
    return fmt::format("{}: {} steps so far, {}", what_, with_thousands(found), above(found));
  if (steps == 0 && paths > 0 && least > 0 && paths >= least)
    return fmt::format("{}: paths that need {} steps so far, {}", what_, with_thousands(paths), above(paths));
  if (steps == 0) return what_;
  const uint64_t of = of_.load(std::memory_order_relaxed);
  const std::string total = of > 0 ? fmt::format(" of {} ({} %)", with_thousands(of), steps * 100 / of) : "";
  const uint64_t transfers = transfers_.load(std::memory_order_relaxed);
  if (transfers == 0) return fmt::format("{}: {}{}", what_, with_thousands(steps), total);
  return fmt::format("{} steps{}, {} transfers", with_thousands(steps), total, with_thousands(transfers));
}

void Waiting::report(std::chrono::milliseconds after) {
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, after, [this] { return is_over_; })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    console_.err << fmt::format("\r{}, {:.0f} s\x1b[K", how_far(), seconds) << std::flush;
    printed_ = true;
  }
}

}  // namespace quadrille
