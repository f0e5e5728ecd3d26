#include "quadrille/verify/rules/contributions.h"

#include <fmt/format.h>

namespace quadrille::rules {

extern const RuleCard contributions;
const RuleCard contributions{
    .name = "contributions",
    .summary = "in a reduction every rank's contribution to a block counts once",
    .details =
        "Each rank starts with its own contribution to every block. A transfer adds all that its sender has "
        "of the block to what the receiver has, and the two have no contribution in common. A transfer "
        "marked as copy replaces what the receiver has, and is the only arrival of that block there in its "
        "step.",
};

void report_counted_twice(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId receiver, Rank twice, Findings& findings) {
  findings.add(contributions, step.step(), step.transfer(transfer), [&] {
    const Topology& topology = problem.topology();
    return fmt::format("node {} adds the contribution of {} to block {} a second time",
                       topology.label(receiver), topology.label(topology.endpoint(twice)),
                       problem.block_label(block));
  });
}

void report_copy_conflict(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId receiver, Findings& findings) {
  findings.add(contributions, step.step(), step.transfer(transfer), [&] {
    return fmt::format("node {} receives a copy of block {} together with something else for it",
                       problem.topology().label(receiver), problem.block_label(block));
  });
}

}  // namespace quadrille::rules
