// Which local program serves a problem: nodes that run by themselves (local/local_program.h).
//
//     const LocalChoice choice = choose_local_program(problem, "auto");
//     run_nodes_on_threads(*choice.program, problem, {.block_bytes = 1024});
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/local/local_program.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct LocalChoice {
  const LocalProgram* program = nullptr;
  std::string reason{};
};

/// The program of that algorithm; for "auto" the one whose algorithm predicts the least time for blocks of so
/// many bytes, of those that serve the problem. No plan is made for it, unless an algorithm knows its figures
/// in no other way. Throws InputError for an algorithm that is unknown or has no local program, and where
/// none serves the problem: with every condition that fails.
[[nodiscard]] LocalChoice choose_local_program(const Problem& problem, const std::string& asked,
                                               uint64_t block_bytes = 1);

}  // namespace quadrille
