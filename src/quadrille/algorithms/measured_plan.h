// Measured plan: the way out for a card whose figures are only known once the plan exists. The plan is made,
// measured on its way, and kept, so that generating it is reading it out.
//
//     Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
//       return problem.topology().num_nodes() <= 512 ? plan.get().prediction() : Prediction{};
//     }
//     ...
//     .prepare = by_measuring<predicted, generate>,
//
// Where the prediction is made without the plan, that is generated as if nothing had been measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {

/// Ranks up to which a greedy plan takes a moment.
inline constexpr uint32_t kMostMeasuredWorms = 128;
inline constexpr uint32_t kMostMeasuredPackets = 1024;
/// By flooding half a minute is well spent, since meshes, and networks without a structure, have nothing else so short.
inline constexpr uint32_t kMostFlooded = 8192;

/// Whether the problem has no more ranks than that or, where blocks come in pieces, no more pieces between
/// all pairs than that many ranks have.
[[nodiscard]] bool is_quick_to_measure(const Problem& problem, uint32_t most_ranks);

class MeasuredPlan final : public StepSink, private SymmetricSink {
 public:
  /// A plan of more bytes than that is measured and not kept.
  explicit MeasuredPlan(uint64_t most_bytes = uint64_t{1} << 28U) : most_bytes_(most_bytes) {}
  /// Of a plan whose transfers may share links, or whose messages of many packets fill wide ones: critical blocks are counted
  /// link by link, against its capacity.
  explicit MeasuredPlan(const Problem& problem, uint64_t most_bytes = uint64_t{1} << 28U);

  void push(const StepView& step) override;
  /// Of a plan that is not to be kept and whose rounds are counted, where the links of a generator are alike.
  [[nodiscard]] SymmetricSink* symmetric() override;

  /// Steps, start-ups and critical blocks.
  [[nodiscard]] Prediction prediction() const;
  [[nodiscard]] bool is_kept() const { return is_kept_; }
  /// Only where it is kept.
  void replay(StepSink& sink) const;

 private:
  void push_symmetric(std::span<const SymmetricMove> moves) override;
  [[nodiscard]] uint64_t rounds_on_links(const StepView& step);

  uint64_t most_bytes_ = uint64_t{1} << 28U;
  uint64_t steps_ = 0;
  uint64_t start_ups_ = 0;
  uint64_t critical_blocks_ = 0;
  uint64_t critical_hops_ = 0;
  uint64_t bytes_ = 0;
  bool is_kept_ = true;
  std::optional<Topology> shared_;  // where links are shared
  std::vector<uint64_t> on_link_;   // in this step, of each link that is shared
  std::vector<Plan> parts_;  // of bounded size: one growing plan would for a moment take twice its memory
};

using MeasuredPrediction = Prediction (*)(const Problem&, Once<MeasuredPlan>&);

[[nodiscard]] PreparedPlan prepare_measured(const Problem& problem, MeasuredPrediction predicted,
                                            void (*generate)(const Problem&, StepSink&), Effort effort);

/// Those whose predictions are to be had in a moment may say so: they are then asked with the others.
template <MeasuredPrediction kPredicted, void (*kGenerate)(const Problem&, StepSink&),
          Effort kEffort = Effort::kMuch>
[[nodiscard]] Preparation by_measuring(const Problem& problem) {
  return Preparation::of(prepare_measured(problem, kPredicted, kGenerate, kEffort));
}

/// The prediction of most of them: what was measured, where that is quick.
template <uint32_t kMostRanks>
[[nodiscard]] Prediction measured_up_to(const Problem& problem, Once<MeasuredPlan>& plan) {
  return is_quick_to_measure(problem, kMostRanks) ? plan.get().prediction() : Prediction{};
}

/// The same of rounds, which are packed in a moment between switches, where they have few conflicts.
inline constexpr uint32_t kMostMeasuredHosts = 2048;
template <uint32_t kMostRanks>
[[nodiscard]] uint32_t most_measured(const Problem& problem) {
  return problem.topology().has_routers() ? std::max(kMostRanks, kMostMeasuredHosts) : kMostRanks;
}
template <uint32_t kMostRanks>
[[nodiscard]] Prediction measured_rounds(const Problem& problem, Once<MeasuredPlan>& plan) {
  return is_quick_to_measure(problem, most_measured<kMostRanks>(problem)) ? plan.get().prediction()
                                                                          : Prediction{};
}

}  // namespace quadrille
