// Rule delivered: in the end everything is where it must be.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"

namespace quadrille::rules {

/// A moving block has stopped at the wrong node.
void report_stranded(const Problem& problem, BlockId block, NodeId holder, Findings& findings);

/// A destination has not got the block at all.
void report_missing(const Problem& problem, BlockId block, NodeId destination, Findings& findings);

/// A destination lacks the contribution of `lost`.
void report_incomplete(const Problem& problem, BlockId block, NodeId destination, Rank lost,
                       Findings& findings);

}  // namespace quadrille::rules
