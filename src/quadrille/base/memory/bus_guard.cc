#include "quadrille/base/memory/bus_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace quadrille {

struct BusGuard::Slot {
  std::atomic<uintptr_t> begin{0};  // 0: free
  std::atomic<uintptr_t> end{0};
  std::atomic<bool> hit{false};
};

namespace {

// Looked at by a signal handler: what it needs is there from the start, and nothing of it moves.
std::array<BusGuard::Slot, 16> slots;
std::atomic<uintptr_t> page_size{4096};
std::mutex changing;
size_t guarded = 0;
struct sigaction action_before {};

// Zeros from the missing page on: a file that was cut short there has nothing behind it.
bool fill(uintptr_t address) {
  for (BusGuard::Slot& slot : slots) {
    const uintptr_t end = slot.end.load();
    if (slot.begin.load() > address || address >= end) continue;
    const uintptr_t from = address / page_size.load() * page_size.load();
    slot.hit.store(true);
    return mmap(reinterpret_cast<void*>(from), end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                -1, 0) != MAP_FAILED;
  }
  return false;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  if (fill(reinterpret_cast<uintptr_t>(info->si_addr))) return;
  if ((action_before.sa_flags & SA_SIGINFO) != 0 && action_before.sa_sigaction != nullptr) {
    action_before.sa_sigaction(signal, info, context);
  } else if (action_before.sa_handler != SIG_DFL && action_before.sa_handler != SIG_IGN) {
    action_before.sa_handler(signal);
  } else {
    // The same access fails once more, as it would have.
    static_cast<void>(sigaction(SIGBUS, &action_before, nullptr));
  }
}

void install() {
  const long size = sysconf(_SC_PAGESIZE);
  if (size > 0) page_size.store(static_cast<uintptr_t>(size));
  struct sigaction ours {};
  ours.sa_sigaction = on_bus_error;
  ours.sa_flags = SA_SIGINFO;
  sigemptyset(&ours.sa_mask);
  static_cast<void>(sigaction(SIGBUS, &ours, &action_before));
}

}  // namespace

BusGuard::BusGuard(void* at, size_t size) {
  const std::scoped_lock lock(changing);
  for (Slot& slot : slots) {
    if (slot.begin.load() != 0) continue;
    slot_ = &slot;
    slot.hit.store(false);
    slot.begin.store(reinterpret_cast<uintptr_t>(at));
    slot.end.store(reinterpret_cast<uintptr_t>(at) + size);
    if (guarded++ == 0) install();
    return;
  }
}

BusGuard::~BusGuard() {
  if (slot_ == nullptr) return;
  const std::scoped_lock lock(changing);
  slot_->end.store(0);
  slot_->begin.store(0);
  if (--guarded == 0) static_cast<void>(sigaction(SIGBUS, &action_before, nullptr));
}

bool BusGuard::was_hit() const { return slot_ != nullptr && slot_->hit.load(); }

}  // namespace quadrille
