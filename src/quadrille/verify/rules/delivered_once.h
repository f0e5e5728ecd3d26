// Rule delivered_once: a block reaches each of its destinations once.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

/// A moving block leaves the node it was meant for.
void report_leaves_destination(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                               Findings& findings);

/// A copied block reaches an endpoint that has it already, or gets it twice in this step.
void report_has_already(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                        NodeId receiver, Findings& findings);

}  // namespace quadrille::rules
