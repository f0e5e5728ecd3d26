// A program in 64 bits: ranks of several processes compare it before they move data, so that none waits for a
// message that another never sends.
#pragma once

#include <cstdint>
#include <string_view>

#include "quadrille/program/rank_program.h"

namespace quadrille {

/// Takes numbers and texts one after another. The same on every machine and in every version: no address, no
/// order of bytes goes into it. Not a secret: it tells mistakes apart, not enemies.
class Digest {
 public:
  void add(uint64_t number) {
    value_ = (value_ ^ number) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 29U;
  }
  void add(std::string_view text);

  [[nodiscard]] uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325U;
};

/// Of all that a program does on all ranks, and of the collective that it does.
[[nodiscard]] uint64_t digest_of(const Program& program);

}  // namespace quadrille
