// RoundsMeter: what steps take where transfers may share arcs, counted as they go by.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Hands each step on to the sink.
class RoundsMeter final : public StepSink {
 public:
  RoundsMeter(const Problem& problem, StepSink& sink) : topology_(problem.topology()), sink_(sink) {
    load_.assign(topology_.num_arcs(), 0);
    if (problem.model().cost.to > 0) out_.further_messages = 0;
  }

  void push(const StepView& step) override;
  [[nodiscard]] const Prediction& prediction() const { return out_; }

 private:
  // Those that one node starts, or ends, beyond its first; what takes the same path is one message.
  uint64_t further_messages(const StepView& step);

  const Topology& topology_;
  StepSink& sink_;
  std::vector<uint64_t> load_;
  Prediction out_{.steps = 0, .start_ups = 0, .critical_blocks = 0, .critical_hops = 0, .measured = true};
};

}  // namespace quadrille
