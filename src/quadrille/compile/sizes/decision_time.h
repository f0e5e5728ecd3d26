// decision_time: what a choice takes for a message of some size, before its plan is made.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/compile.h"

namespace quadrille {

/// Of what is predicted, or, on small networks, measured; in the units of the model's constants. Nothing where neither is known.
[[nodiscard]] std::optional<double> time_of_decision(const Decision& decision, uint64_t bytes);

/// Fills in what that asks for and is not known, on small networks, and keeps the plan that is made for it. `queues`: whether its judge
/// measures them on the way.
void measure(Decision& decision, bool queues);

/// The same time, and where that is not said, of the plan, which is made and judged for it: for plans that are so in a moment.
[[nodiscard]] std::optional<double> time_of_plan(const Decision& decision, uint64_t bytes);

}  // namespace quadrille
