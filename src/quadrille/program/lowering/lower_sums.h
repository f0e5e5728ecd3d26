// Lowering for rank 0 alone where contributions are combined and every step is the same after each translation.
//
//     SumLowering lowering(problem, translations);
//     schedule.plan().replay(lowering);
//     const std::optional<RankProgram> program = lowering.finish();
//
// How a message is received is its receiver's to choose and its sender's to know, so RankLowering leaves sums to lower(). Here
// the receiver of what rank 0 sends does what rank 0 does with what comes to it from the other side: rank 0's own part of the
// dataflow tells it all. Blocks of a message go by their numbers as its sender sees them, which is the same order at both ends.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "quadrille/program/lowering/translations.h"
#include "quadrille/program/rank_program.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class SumLowering final : public StepSink {
 public:
  /// Why no program is made so, as a fragment of a sentence; nothing where it is.
  [[nodiscard]] static std::optional<std::string> why_not(const Problem& problem);

  /// Of a problem for which why_not() says nothing. Keeps what it is given.
  SumLowering(const Problem& problem, const Translations& translations);
  SumLowering(const SumLowering&) = delete;
  SumLowering& operator=(const SumLowering&) = delete;
  ~SumLowering() override;

  /// The steps are those of a good plan, the same after each translation (TranslationWatch).
  void push(const StepView& step) override;
  /// After the last step. Call it once. Nothing for a plan that keeps several sums of a block apart.
  [[nodiscard]] std::optional<RankProgram> finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quadrille
