// Rule contributions: in a reduction every contribution counts once.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

/// Two partial results that meet at `receiver` both contain the contribution of `twice`.
void report_counted_twice(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId receiver, Rank twice, Findings& findings);

/// Two of the slots that `sender` sums and sends both contain the contribution of `twice`.
void report_sends_twice(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                        NodeId sender, Rank twice, Findings& findings);

/// So do two of the slots that `destination` has in the end.
void report_ends_twice(const Problem& problem, BlockId block, NodeId destination, Rank twice,
                       Findings& findings);

/// A copy overwrites a block at `receiver` in a step in which something else arrives for it.
void report_copy_conflict(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId receiver, Findings& findings);

}  // namespace quadrille::rules
