// --algorithm: a name, or auto.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/problem.h"

namespace CLI {
class App;
}  // namespace CLI

namespace quadrille {

void add_algorithm_option(CLI::App& app, std::string& name);

/// The algorithm that was asked for ("NAME", or "NAME:MEMBER" of a family), or the one that auto picks for
/// blocks of so many bytes. Throws InputError for a name that is not known, that is for another collective,
/// or that does not apply, with the reason.
[[nodiscard]] Choice pick_algorithm(const Problem& problem, const std::string& name,
                                    uint64_t block_bytes = 1);

/// What goes above the steps of a plan: who made it, what is claimed, and the lower bounds.
[[nodiscard]] PlanHead plan_head(const Problem& problem, const Choice& choice);

}  // namespace quadrille
