// A process of its own that may take only so much more memory: it cannot raise its limit again, and others are not to feel it.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

namespace quadrille {

/// What a limit on data counts of this process, in bytes; 0 where that is not told.
inline uint64_t data_taken() {
  std::ifstream status("/proc/self/status");
  uint64_t kilobytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmData:") status >> kilobytes;
  return kilobytes * 1024;
}

/// What `run` returns in a copy of this process that may take so many bytes more; -1 where it was not run, -2 where it threw.
inline int with_room_for(uint64_t bytes, const std::function<int()>& run) {
  constexpr int kNotRun = 254;
  constexpr int kThrew = 253;
  const uint64_t taken = data_taken();
  if (taken == 0) return -1;
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    rlimit set{};
    static_cast<void>(getrlimit(RLIMIT_DATA, &set));
    set.rlim_cur = taken + bytes;
    if (setrlimit(RLIMIT_DATA, &set) != 0) _exit(kNotRun);
    try {
      _exit(run());
    } catch (...) {
      _exit(kThrew);
    }
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  const int code = WEXITSTATUS(status);
  return code == kNotRun ? -1 : code == kThrew ? -2 : code;
}

}  // namespace quadrille
