// Rule sender_holds: who sends a block has it at the start of the step.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

/// A moving block is elsewhere: at `holder`, or, when `moved_now`, it has been sent to there in this very
/// step.
void report_not_at_sender(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId sender, NodeId holder, bool moved_now, Findings& findings);

/// A copied or combined block has not reached the sender before this step.
void report_sender_lacks(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                         NodeId sender, Findings& findings);

}  // namespace quadrille::rules
