// Everything that can do a job, side by side: every algorithm that serves a total exchange of worms, and what
// the literature promises of others (model only), by their time under the model's constants.
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
  double time = 0.0;  ///< for blocks of the size asked for; without rearrangement where it is not known
};

/// By rising time; of a family the member that takes least. If rearranging costs time it is measured where it
/// is not predicted, on small networks; those of which it remains unknown come after the others. Algorithms
/// that do not say their figures before the plan exists are left out. Throws InputError like
/// require_two_figures.
[[nodiscard]] std::vector<ComparedCost> compare_costs(const Problem& problem, uint64_t block_bytes);

}  // namespace quadrille
