// The reference judge: slow and obvious, for tests only.
//
// It reads the rules' English and nothing else: no code of the fast judge, no helper of it, maps and sets
// instead of arrays and stamps. Where the two disagree one of them has a bug.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// All findings (no cap), ordered like the fast judge's, with the same rule, step and transfer, and messages
/// that only repeat these.
[[nodiscard]] Verdict reference_verify(const Problem& problem, const Plan& plan);

}  // namespace quadrille
