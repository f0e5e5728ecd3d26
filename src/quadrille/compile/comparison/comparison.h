// Everything that can do a job, side by side: every algorithm that serves it, and what the literature promises of others
// (model only). A total exchange of worms by time under the model's constants; all else by steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

struct ComparedCost {
  std::string name{};  ///< as compile() and --algorithm take it
  bool model_only = false;
  uint64_t start_ups = 0;
  uint64_t blocks = 0;  ///< on the critical path
  /// By the busiest node, where it is known.
  std::optional<uint64_t> rearranged{};
  std::optional<uint64_t> hops{};  ///< the longest way of each step, added up, where it is known
  /// Of one node in each step, beyond its first, added up, where it is known.
  std::optional<uint64_t> further_messages{};
  double time = 0.0;  ///< for blocks of the size asked for; without those two where they are not known

  /// Whether all that costs time is in it.
  [[nodiscard]] bool counted(const Problem& problem) const;
};

/// By rising time; of a family the member that takes least. If rearranging or distance costs time it is measured
/// where it is not predicted, on small networks; those of which it remains unknown come after the others. Algorithms
/// that do not say their figures before the plan exists are left out. Throws InputError like
/// require_two_figures.
[[nodiscard]] std::vector<ComparedCost> compare_costs(const Problem& problem, uint64_t block_bytes);

struct ComparedSteps {
  std::string name{};
  bool model_only = false;
  uint64_t steps = 0;
};
struct StepComparison {
  std::vector<ComparedSteps> plans{};  ///< by rising steps
  /// Algorithms that apply but whose steps are known only with their plan, on more than 128 nodes.
  std::vector<std::string> not_asked{};
};

/// Where the steps alone count; of a family the member that has fewest. With what is lent, where that has fewest of all.
[[nodiscard]] StepComparison compare_steps(const Problem& problem);

}  // namespace quadrille
