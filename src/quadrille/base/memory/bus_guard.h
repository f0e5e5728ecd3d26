// BusGuard: pages of a mapped file that are not there any more read as zeros, and somebody is told, instead of SIGBUS ending the program.
//
//     BusGuard guard(at, size);                // of a mapping that is read and never written
//     read(...);                               // another process cuts the file short
//     if (guard.was_hit()) ...                 // what was read is worth nothing
//
// No look at the file's size before a read could do that: it may be cut short right behind the look. The handler is there as long as a guard
// is, and hands on what is none of theirs.
#pragma once

#include <cstddef>

namespace quadrille {

class BusGuard {
 public:
  BusGuard() = default;
  BusGuard(void* at, size_t size);
  BusGuard(const BusGuard&) = delete;
  BusGuard& operator=(const BusGuard&) = delete;
  ~BusGuard();

  /// Not where too many are guarded already.
  [[nodiscard]] bool guards() const { return slot_ != nullptr; }
  /// Whether a page was missing, to whichever thread.
  [[nodiscard]] bool was_hit() const;

  struct Slot;

 private:
  Slot* slot_ = nullptr;
};

}  // namespace quadrille
