// Steps as bytes, one behind the other, for another process of the same program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "quadrille/schedule/step.h"

namespace quadrille {

void append_step(const StepView& step, std::string& bytes);

/// What append_step() has written, where it lies; that must begin at a whole word, as what a crew or the heap keeps does.
class StepsInBytes {
 public:
  explicit StepsInBytes(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_over() const { return bytes_.empty(); }
  StepView next();

 private:
  template <typename T>
  std::span<const T> some(uint64_t count);

  std::string_view bytes_;
};

}  // namespace quadrille
