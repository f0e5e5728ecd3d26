// Together: the judge of several schedules that run at the same time on one network.
//
//     const Verdict verdict = verify_together({&rows, &columns});    // step 1 of each is step 1 of all
//
// Every schedule has passed by itself, so that its blocks arrive, and blocks of different groups have nothing to do with each
// other. What is left to judge is what they share: the rules on links and ports are asked of all transfers of a step at once.
#pragma once

#include <cstddef>
#include <span>

#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// Figures are those of all together. Throws InputError for schedules on different networks (nodes, links and capacities; who
/// is an endpoint differs) or by different models, and for two that have a rank in common, which it names.
[[nodiscard]] Verdict verify_together(std::span<const Schedule* const> schedules, size_t max_findings = 20);

}  // namespace quadrille
