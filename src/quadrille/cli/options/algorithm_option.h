// --algorithm: a name, or auto.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "quadrille/algorithms/choice.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/console.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class ArgumentParser;

void add_algorithm_option(ArgumentParser& app, std::string& name);

/// pick_algorithm() of algorithms/choice.h, given the problem's bounds, and with what candidates rearrange
/// measured where it costs time; a published cost gets an InputError of its own. On a terminal it says after
/// a second that it is choosing.
[[nodiscard]] Choice pick_algorithm(const Problem& problem, const std::string& name, uint64_t block_bytes,
                                    std::span<const Bound> bounds, Console& console);

/// What goes above the steps of a plan: who made it, what is claimed, and the lower bounds.
[[nodiscard]] PlanHead plan_head(const Problem& problem, const Choice& choice, std::span<const Bound> bounds);

}  // namespace quadrille
