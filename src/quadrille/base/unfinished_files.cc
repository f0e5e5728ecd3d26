#include "quadrille/base/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

namespace quadrille {
namespace {

// Whatever ends a program by default and leaves it the time to tidy up.
constexpr std::array kSignals = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                 SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};

// What the handler reads. `listed` is set last and cleared first, so that it never sees half a name.
struct Slot {
  std::atomic<bool> listed{false};
  bool taken = false;  // guarded by the mutex
  int folder = -1;
  std::array<char, 64> name{};
};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler of signals may use no lock");

std::array<Slot, UnfinishedFile::kMost> slots;
std::mutex slots_mutex;
int slots_taken = 0;                             // guarded by the mutex
std::array<bool, kSignals.size()> is_handled{};  // guarded by the mutex

extern "C" void remove_unfinished_files(int signal) {
  const int before = errno;
  for (Slot& slot : slots) {
    if (slot.listed.load()) static_cast<void>(unlinkat(slot.folder, slot.name.data(), 0));
  }
  errno = before;
  // The default is in force again (SA_RESETHAND): it acts as soon as the handler has returned.
  raise(signal);
}

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

void handle_signals() {
  for (size_t s = 0; s < kSignals.size(); ++s) {
    struct sigaction now {};
    if (sigaction(kSignals[s], nullptr, &now) != 0 || !is_default(now)) continue;
    struct sigaction ours {};
    ours.sa_handler = remove_unfinished_files;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    sigfillset(&ours.sa_mask);
    is_handled[s] = sigaction(kSignals[s], &ours, nullptr) == 0;
  }
}

void leave_signals() {
  for (size_t s = 0; s < kSignals.size(); ++s) {
    if (!is_handled[s]) continue;
    is_handled[s] = false;
    struct sigaction now {};
    // Somebody may have taken the signal over meanwhile.
    if (sigaction(kSignals[s], nullptr, &now) != 0 || now.sa_handler != remove_unfinished_files) continue;
    struct sigaction old {};
    old.sa_handler = SIG_DFL;
    static_cast<void>(sigaction(kSignals[s], &old, nullptr));
  }
}

}  // namespace

UnfinishedFile::UnfinishedFile(int folder, const std::string& name) {
  const std::lock_guard lock(slots_mutex);
  for (int s = 0; s < kMost && name.size() < slots[0].name.size(); ++s) {
    Slot& slot = slots[static_cast<size_t>(s)];
    if (slot.taken) continue;
    slot.taken = true;
    slot.folder = folder;
    std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
    if (slots_taken++ == 0) handle_signals();
    slot.listed.store(true);
    slot_ = s;
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ < 0) return;
  const std::lock_guard lock(slots_mutex);
  Slot& slot = slots[static_cast<size_t>(slot_)];
  slot.listed.store(false);
  slot.taken = false;
  if (--slots_taken == 0) leave_signals();
}

}  // namespace quadrille
