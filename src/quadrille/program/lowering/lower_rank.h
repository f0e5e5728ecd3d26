// Lowering for one rank: its program alone, from the steps as they come, whoever makes them.
//
//     RankLowering mine(problem, Rank{3});
//     schedule.plan().replay(mine);             // or a generator pushes, or the judge hands on what it has taken
//     const RankProgram program = mine.finish();
//
// It is what lower() gives that rank, action for action; what the others do is looked at only where they send to it or
// it to them. Memory grows with what this rank sends and receives: one rank of a total exchange on torus(64,64) is 131,072
// hops of the plan's 537 million.
//
// Where contributions are combined, how a message is received is its receiver's to choose and its sender's to know, and
// through routers who sends to whom is not seen in a step; there lower() makes all programs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "quadrille/program/rank_program.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class RankLowering final : public StepSink {
 public:
  /// Why a rank's program is not made alone, as a fragment of a sentence; nothing where it is.
  [[nodiscard]] static std::optional<std::string> why_not(const Problem& problem);

  /// Of a problem for which why_not() says nothing. Keeps nothing of it.
  RankLowering(const Problem& problem, Rank rank);
  RankLowering(const RankLowering&) = delete;
  RankLowering& operator=(const RankLowering&) = delete;
  ~RankLowering() override;

  /// The steps are those of a good plan: a block that is not where it is sent from is an InternalError.
  void push(const StepView& step) override;
  /// After the last step. Call it once.
  [[nodiscard]] RankProgram finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quadrille
