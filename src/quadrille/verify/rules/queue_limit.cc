// Rule queue_limit: at the end of a step no more blocks wait for a link than the model allows.
#include <fmt/format.h>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/rule.h"

namespace quadrille::rules {

extern const RuleCard queue_limit;

namespace queue_limit_parts {
namespace {

// Checked once, after the last step: only when a block leaves is it known which link it had waited for.
void check(const Problem& problem, const QueueMeter& queues, Findings& findings) {
  const uint32_t limit = *problem.model().queue_limit;
  const Topology& topology = problem.topology();
  for (const QueueExcess& excess : queues.excesses(limit)) {
    findings.add(queue_limit, excess.step, Finding::kAtEnd, [&] {
      return fmt::format("{} block{} for the link from {} to {} at the end of this step; {} may",
                         excess.count, excess.count == 1 ? " waits" : "s wait",
                         topology.label(topology.tail(excess.arc)), topology.label(topology.head(excess.arc)),
                         limit == 0 ? "none" : fmt::format("at most {}", limit));
    });
  }
}

}  // namespace
}  // namespace queue_limit_parts

const RuleCard queue_limit{
    .name = "queue_limit",
    .summary = "at the end of a step no more blocks wait for a link than the model allows",
    .details =
        "Only where the model has a limit; 0 asks for queue-free plans, in which every block that arrives is "
        "sent on in the next step. A block waits from the step after its arrival to the step before it is "
        "sent on. Blocks at their origin and their destination do not wait, nor do copies at endpoints. "
        "Reported for the first step of each time in which a queue is too long.",
    .wants_queues = [](const Problem& problem) { return problem.model().queue_limit.has_value(); },
    .on_queues = queue_limit_parts::check,
};

}  // namespace quadrille::rules
