// Rule ranks_in_order: where the operator does not commute, every sum is of consecutive ranks.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

/// The slots that `sender` sums and sends are not of consecutive ranks.
void report_sends_out_of_order(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                               NodeId sender, Findings& findings);

/// What `receiver` has after the step, in the slot that the transfer was the first to add to, is not.
void report_adds_out_of_order(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                              NodeId receiver, Findings& findings);

}  // namespace quadrille::rules
