// MemoryLimit: how much memory this process may come to use, and who says so, asked before much is taken.
//
//     require_memory(UInt128{arcs} * 40, "torus(9999,9999) has 399920004 arcs and");
//         // throws "torus(9999,9999) has 399920004 arcs and needs about 15 GiB; this machine has 7.7 GiB"
//
// What counts is the least of the machine's memory, the limits that a shell sets (ulimit -v, ulimit -d), and
// that of the control group in which a container or a batch system runs its processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/rational.h"

namespace quadrille {

struct MemoryLimit {
  uint64_t bytes = 0;
  std::string_view before{};  ///< "this machine has"
  std::string_view after{};   ///< " more (ulimit -v)"

  /// "this machine has 7.7 GiB".
  [[nodiscard]] std::string text() const;
};

/// Of this process, now: what a limit of the shell allows is counted without what is taken already.
[[nodiscard]] MemoryLimit memory_limit();

/// "1.5 GiB", "300 MiB".
[[nodiscard]] std::string memory_text(Int128 bytes);

/// Throws InputError if `needed` bytes are more than there are: `what` "needs about 15 GiB; this machine has
/// 7.7 GiB".
void require_memory(Int128 needed, std::string_view what);

/// Memory was refused, and it is known how much was asked for.
class MemoryRefused : public std::bad_alloc {
 public:
  explicit MemoryRefused(size_t bytes);
  [[nodiscard]] const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;  // an exception must be copied without throwing
};

/// What to say of it: how much was asked for or, where that is not known, how much the process had taken at
/// most; and what there is.
[[nodiscard]] std::string out_of_memory_text(const std::bad_alloc& refused);

/// The limit of a control group: `membership` is what /proc/self/cgroup says, `mounted` where the groups are
/// mounted. The least of the group's and of all that it lies in; nothing where none has a limit.
[[nodiscard]] std::optional<uint64_t> control_group_limit(std::string_view membership,
                                                          const std::string& mounted);

}  // namespace quadrille
