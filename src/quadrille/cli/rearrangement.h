// What a plan rearranges, for the time that it takes: measured on small networks, and said where it is not
// counted.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Whether rearranging costs time in the model.
[[nodiscard]] bool rearranging_costs(const Problem& problem);

/// Makes the plan and lays out its arrays; empty on more than 128 nodes, and where there is no layout.
[[nodiscard]] std::optional<uint64_t> measured_rearrangement(const Problem& problem, const Choice& choice);

}  // namespace quadrille
