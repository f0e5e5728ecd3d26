// Rule queue_limit: at the end of a step no more blocks wait for a link, or came on it and wait, than the
// model allows.
#include <fmt/format.h>

#include <string>

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
  const bool incoming = problem.model().queues_per == QueuesPer::kIncoming;
  for (const QueueExcess& excess : queues.excesses(limit, problem.model().queues_per)) {
    findings.add(queue_limit, excess.step, Finding::kAtEnd, {.arc = excess.arc}, [&] {
      const std::string wait = excess.count == 1 ? "waits" : "wait";
      return fmt::format("{} block{} the link from {} to {}{} at the end of this step; {} may", excess.count,
                         incoming ? (excess.count == 1 ? " that came on" : "s that came on")
                                  : (excess.count == 1 ? " waits for" : "s wait for"),
                         topology.label(topology.tail(excess.arc)), topology.label(topology.head(excess.arc)),
                         incoming ? " " + wait : "", limit == 0 ? "none" : fmt::format("at most {}", limit));
    });
  }
}

}  // namespace
}  // namespace queue_limit_parts

const RuleCard queue_limit{
    .name = "queue_limit",
    .summary =
        "at the end of a step no more blocks wait for a link, or came on it and wait, than the model "
        "allows",
    .details =
        "Only where the model has a limit; 0 asks for queue-free plans, in which every block that arrives is "
        "sent on in the next step. A block waits from the step after its arrival to the step before it is "
        "sent on. Counted by the link that it waits for or, where the model says so, by the link that it came "
        "on. Blocks at their origin and their destination do not wait, nor do copies at endpoints. "
        "Reported for the first step of each time in which a queue is too long.",
    .wants_queues = [](const Problem& problem) { return problem.model().queue_limit.has_value(); },
    .on_queues = queue_limit_parts::check,
};

}  // namespace quadrille::rules
