// Progress of long work: one line on a terminal, rewritten, after the first second.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "quadrille/cli/console.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Hands steps on and counts them. Prints nothing unless the console shows progress; wipes its line in the
/// end.
class Progress final : public StepSink {
 public:
  /// `steps`: how many there will be, where that is known.
  Progress(StepSink& next, Console& console, std::optional<uint64_t> steps);
  ~Progress() override;

  void push(const StepView& step) override;

 private:
  using Clock = std::chrono::steady_clock;

  void print(Clock::time_point now);

  StepSink& next_;
  Console& console_;
  std::optional<uint64_t> steps_;
  uint64_t done_ = 0;
  uint64_t transfers_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_print_ = start_ + std::chrono::seconds(1);
  bool printed_ = false;
};

/// Hands every step to two sinks.
class Tee final : public StepSink {
 public:
  Tee(StepSink& first, StepSink& second) : first_(first), second_(second) {}
  void push(const StepView& step) override {
    first_.push(step);
    second_.push(step);
  }

 private:
  StepSink& first_;
  StepSink& second_;
};

}  // namespace quadrille
