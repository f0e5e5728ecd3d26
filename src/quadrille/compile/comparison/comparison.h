// Everything that can do a job, side by side, where steps alone count: every algorithm that serves it, and what the literature
// promises of others (model only). By time: compile/sizes/size_reasons.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

struct ComparedSteps {
  std::string name{};
  bool model_only = false;
  uint64_t steps = 0;
  std::optional<uint64_t> blocks{};  ///< on the critical path, where it is known
};
struct StepComparison {
  std::vector<ComparedSteps> plans{};  ///< by rising steps
  /// Algorithms that apply but whose steps are known only with their plan, on more than 128 nodes.
  std::vector<std::string> not_asked{};
};

/// Where the steps alone count; of a family the member that has fewest. With what is lent, where that has fewest of all.
[[nodiscard]] StepComparison compare_steps(const Problem& problem);

}  // namespace quadrille
