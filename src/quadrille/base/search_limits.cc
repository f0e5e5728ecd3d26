#include "quadrille/base/search_limits.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace quadrille {
namespace {

// A signal handler may write to it.
std::atomic<bool> stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free);

SearchWishes& wishes_now() {
  thread_local SearchWishes wishes;
  return wishes;
}

}  // namespace

SearchLimits::SearchLimits(SearchWishes wishes) : before_(std::exchange(wishes_now(), std::move(wishes))) {}

SearchLimits::~SearchLimits() { wishes_now() = std::move(before_); }

const SearchWishes& SearchLimits::now() { return wishes_now(); }

uint64_t SearchLimits::work(uint64_t by_itself) {
  const double effort = wishes_now().effort;
  if (effort == 1) return by_itself;
  constexpr double kMost = 9e18;
  return static_cast<uint64_t>(std::clamp(static_cast<double>(by_itself) * effort, 1.0, kMost));
}

uint64_t SearchLimits::good_enough(std::string_view of, uint64_t least) {
  const SearchWishes& wishes = wishes_now();
  if (wishes.of == of) least = std::max(least, wishes.least);
  if (wishes.gap <= 0) return least;
  return static_cast<uint64_t>(std::floor(static_cast<double>(least) * (1 + wishes.gap) + 1e-9));
}

void stop_searches() noexcept { stopped.store(true, std::memory_order_relaxed); }
bool searches_are_stopped() noexcept { return stopped.load(std::memory_order_relaxed); }
void let_searches_run() noexcept { stopped.store(false, std::memory_order_relaxed); }

}  // namespace quadrille
