// One node's moves: a plan of a whole network that is the same at all nodes, kept in the short form.
//
//     const OneNodesMoves moves(whole, replay);      // schedule/symmetric/symmetric_step.h
//     moves.along(k);                                // all that goes along a generator
//     moves.of(block);                               // the way of a block
//
// What crosses an arc, or where a block goes, is told by translations of these; nobody looks at all transfers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {

class OneNodesMoves {
 public:
  struct Timed {
    SymmetricMove move;
    uint32_t step;
  };

  /// `generate(sink)` pushes moves into `sink.symmetric()`. The problem: an exchange on a Cayley graph without routers.
  template <typename Generate>
  OneNodesMoves(Problem whole, const Generate& generate) : whole_(std::move(whole)) {
    Recorder recorder(*this);
    generate(recorder);
    sort();
  }

  [[nodiscard]] const Problem& whole() const { return whole_; }
  [[nodiscard]] uint64_t steps() const { return end_.size(); }
  [[nodiscard]] std::span<const SymmetricMove> in_step(size_t step) const {
    const size_t begin = step == 0 ? 0 : end_[step - 1];
    return std::span<const SymmetricMove>(moves_).subspan(begin, end_[step] - begin);
  }
  /// In order.
  [[nodiscard]] std::span<const Timed> along(size_t generator) const {
    return part(along_, along_begin_, generator);
  }
  /// The moves of a block, in order: node origin * moved makes each.
  [[nodiscard]] std::span<const Timed> of(BlockId block) const;

 private:
  class Recorder final : public StepSink, private SymmetricSink {
   public:
    explicit Recorder(OneNodesMoves& to) : to_(to) {}
    void push(const StepView& step) override;
    [[nodiscard]] SymmetricSink* symmetric() override { return this; }

   private:
    void push_symmetric(std::span<const SymmetricMove> moves) override;
    OneNodesMoves& to_;
  };

  static std::span<const Timed> part(const std::vector<Timed>& all, const std::vector<size_t>& begin,
                                     size_t i) {
    return std::span<const Timed>(all).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  void sort();

  Problem whole_;
  std::vector<SymmetricMove> moves_;
  std::vector<size_t> end_;  // of each step
  std::vector<Timed> along_;
  std::vector<size_t> along_begin_;
  std::vector<Timed> moving_;  // by displacement and piece
  std::vector<size_t> moving_begin_;
};

}  // namespace quadrille
