#include "quadrille/base/work_count.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace quadrille {
namespace {

constexpr size_t kKinds = static_cast<size_t>(Work::kSearching) + 1;  // the last of them

std::atomic<uint64_t>& counter(Work work) {
  static std::array<std::atomic<uint64_t>, kKinds> counters{};
  return counters[static_cast<size_t>(work)];
}

}  // namespace

void count_work(Work work) { counter(work).fetch_add(1, std::memory_order_relaxed); }

uint64_t work_counted(Work work) { return counter(work).load(std::memory_order_relaxed); }

}  // namespace quadrille
