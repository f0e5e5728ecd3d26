// Who else sees the steps once the judge has taken them: a sink that wants them, too, and whoever is told how
// far the work is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "quadrille/compile/progress.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/mended_step.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {

/// A watcher for the judge (JudgeOptions::watcher).
class StepWatcher final : public StepSink, private SymmetricSink, private MendedSink {
 public:
  /// Both may be null. `expected`: how many steps there will be, where that is known.
  StepWatcher(const Problem& problem, StepSink* also, Progress* progress, std::optional<uint64_t> expected)
      : num_nodes_(problem.topology().num_nodes()), also_(also), progress_(progress), expected_(expected) {}

  void push(const StepView& step) override {
    if (also_ != nullptr) also_->push(step);
    count(step.size());
  }
  [[nodiscard]] SymmetricSink* symmetric() override {
    return also_ == nullptr || also_->symmetric() != nullptr ? this : nullptr;
  }
  [[nodiscard]] MendedSink* mended() override {
    return also_ == nullptr || also_->mended() != nullptr ? this : nullptr;
  }

 private:
  void push_symmetric(std::span<const SymmetricMove> moves) override {
    if (also_ != nullptr) also_->symmetric()->push_symmetric(moves);
    count(uint64_t{num_nodes_} * moves.size());
  }
  void begin_mended(const MendedPlanHead& head) override {
    if (also_ != nullptr) also_->mended()->begin_mended(head);
  }
  void push_mended(std::span<const SymmetricMove> moves, const StepView& moved) override {
    if (also_ != nullptr) also_->mended()->push_mended(moves, moved);
    count(uint64_t{num_nodes_} * moves.size() + moved.size());
  }
  void count(uint64_t transfers) {
    if (progress_ == nullptr) return;
    transfers_ += transfers;
    progress_->made(++steps_, expected_, transfers_);
  }

  uint32_t num_nodes_;
  StepSink* also_;
  Progress* progress_;
  std::optional<uint64_t> expected_;
  uint64_t steps_ = 0;
  uint64_t transfers_ = 0;
};

/// begin() and end() of work that cannot say how far it is.
class WatchedWork {
 public:
  WatchedWork(Progress* progress, std::string_view what) : progress_(progress) {
    if (progress_ != nullptr) progress_->begin(what);
  }
  WatchedWork(const WatchedWork&) = delete;
  WatchedWork& operator=(const WatchedWork&) = delete;
  ~WatchedWork() {
    if (progress_ != nullptr) progress_->end();
  }

 private:
  Progress* progress_;
};

}  // namespace quadrille
