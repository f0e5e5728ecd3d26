// Split blocks: the same plan for blocks cut into smaller ones.
//
// Every block becomes `parts` blocks, each a part of the old one's bytes. With packet switching a step
// becomes `parts` steps, in which the parts follow each other along the old paths: more start-ups, but parts
// that compact_steps can let flow behind one another. A worm carries all the parts together, and the number
// of steps stays.
#pragma once

#include <cstdint>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem with `parts` times as many pieces. Throws InputError for no parts or too many blocks.
[[nodiscard]] Problem with_split_blocks(const Problem& problem, uint32_t parts);

/// The plan for with_split_blocks(problem, parts).
[[nodiscard]] Plan split_blocks(const Problem& problem, const Plan& plan, uint32_t parts);

}  // namespace quadrille
