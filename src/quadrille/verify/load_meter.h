// Measures the figures of a plan while it is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/messages.h"
#include "quadrille/verify/step_count.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

class LoadMeter {
 public:
  explicit LoadMeter(const Problem& problem);

  void measure(const JudgedStep& step);
  /// Adds what another meter has seen of the same plan.
  void take(const LoadMeter& other);
  [[nodiscard]] Figures figures() const;

  /// What it has seen, for another process (base/crew/packing.h).
  friend void fields(auto& io, LoadMeter& meter) { io(meter.load_, meter.sums_); }

 private:
  // Where transfers may share arcs, or messages cost: what a step has put on each arc so far, and what each node
  // has started and ended in it.
  struct Sharing {
    struct OnArc {
      uint32_t step = 0;
      uint64_t blocks = 0;
    };
    std::vector<OnArc> on_arc;
    StepCount started;
    StepCount ended;
    Messages messages;
  };

  void measure_messages(const JudgedStep& step);

  const Problem& problem_;
  std::optional<Sharing> sharing_;
  std::vector<uint64_t> load_;  // blocks over each arc
  Figures sums_;
};

}  // namespace quadrille
