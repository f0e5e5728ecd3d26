// Measures the figures of a plan while it is judged.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

class LoadMeter {
 public:
  explicit LoadMeter(const Problem& problem) : load_(problem.topology().num_arcs(), 0) {}

  void measure(const JudgedStep& step);
  /// Adds what another meter has seen of the same plan.
  void take(const LoadMeter& other);
  [[nodiscard]] Figures figures() const;

 private:
  std::vector<uint64_t> load_;  // blocks over each arc
  Figures sums_;
};

}  // namespace quadrille
