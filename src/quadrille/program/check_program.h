// The checker of programs: whether the ranks' programs fit together.
//
//   shape    runs lie within their buffers, the input is never written, peers exist, every send and receive
//            is waited for exactly once and after it was started
//   matched  every send has exactly one receive, of the same blocks in the same order
//   in_use   nothing writes the slots of a send, and nothing touches the slots of a receive, between their
//            start and their wait
//   no_cyclic_wait  every rank comes to its end, even if a send is only complete when its receive has started
//
// It trusts nothing of lower(): a program from anywhere can be checked. What a program computes is not its
// subject: the runtime checks every byte.
#pragma once

#include <vector>

#include "quadrille/program/rank_program.h"
#include "quadrille/verify/finding.h"

namespace quadrille {

/// What is wrong, at most `max_findings` of each rule; empty for a good program. in_use and no_cyclic_wait
/// are only looked for in a program that is well shaped, the latter only if it is matched.
[[nodiscard]] std::vector<Finding> check_program(const Program& program, size_t max_findings = 20);

}  // namespace quadrille
