// What the rules see of one step.
#pragma once

#include <cstdint>
#include <span>

#include "quadrille/schedule/step.h"

namespace quadrille {

/// A step whose transfers all have the right form (see rules/transfer_form.h): every arc and block exists and
/// paths hang together, so that a rule may index arrays without looking. Transfers that had not are left out,
/// and `original` tells where the others stood.
struct JudgedStep {
  StepView view;
  /// 1-based, so that an array of zeros means "never".
  uint32_t number = 0;
  std::span<const uint32_t> original{};  ///< empty: nothing was left out

  [[nodiscard]] uint64_t step() const { return number - 1; }
  [[nodiscard]] uint64_t transfer(size_t t) const { return original.empty() ? t : original[t]; }
};

}  // namespace quadrille
