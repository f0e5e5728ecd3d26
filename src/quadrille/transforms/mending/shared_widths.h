// Shared widths: how much may go over arcs that transfers share, at no cost, in each step of a plan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Of each step how often its busiest arc takes its capacity: all arcs may take as much (StepReservations). Empty where transfers share
/// no arcs.
[[nodiscard]] std::vector<uint32_t> widths_of(const Problem& problem, const Plan& plan);

/// How many of the blocks of a transfer are counted on its arcs, and ports: each where arcs are shared, else one.
[[nodiscard]] inline size_t counted(const Problem& problem, size_t blocks) {
  return shares_arcs(problem.model()) ? blocks : std::min<size_t>(blocks, 1);
}

}  // namespace quadrille
