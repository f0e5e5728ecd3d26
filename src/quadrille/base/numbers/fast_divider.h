// Division of 32-bit numbers by a divisor that is known once and used a billion times.
#pragma once

#include <cstdint>

#include "quadrille/base/rational.h"

namespace quadrille {

/// Quotient and remainder by a fixed divisor with multiplications only (Lemire, Kaser, Kurz 2019, "Faster
/// remainder by direct computation"). Exact for all 32-bit numbers and divisors from 1.
class FastDivider {
 public:
  explicit FastDivider(uint32_t divisor)
      : divisor_(divisor), inverse_(divisor == 1 ? 0 : UINT64_MAX / divisor + 1) {}

  [[nodiscard]] uint32_t quotient(uint32_t n) const { return divisor_ == 1 ? n : high(inverse_, n); }
  [[nodiscard]] uint32_t remainder(uint32_t n) const {
    return divisor_ == 1 ? 0 : high(inverse_ * n, divisor_);
  }

 private:
  static uint32_t high(uint64_t a, uint32_t b) {
    return static_cast<uint32_t>(static_cast<uint64_t>((static_cast<UInt128>(a) * b) >> 64U));
  }

  uint32_t divisor_;
  uint64_t inverse_;
};

}  // namespace quadrille
