// Rule queue_limit: at the end of a step no more blocks wait for a link than the model allows.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/queue_meter.h"

namespace quadrille::rules {

/// Checked once, after the last step: only when a block leaves is it known which link it had waited for. Only
/// for a model with a limit.
void check_queue_limit(const Problem& problem, const QueueMeter& queues, Findings& findings);

}  // namespace quadrille::rules
