#include "quadrille/verify/rules/delivered.h"

#include <fmt/format.h>

namespace quadrille::rules {

extern const RuleCard delivered;
const RuleCard delivered{
    .name = "delivered",
    .summary = "after the last step every destination has its blocks, with every contribution",
    .details = "Checked once, at the end.",
};

void report_stranded(const Problem& problem, BlockId block, NodeId holder, Findings& findings) {
  findings.add(delivered, Finding::kAtEnd, index(block), {.node = holder, .block = block}, [&] {
    return fmt::format("block {} is at node {}, not at its destination", problem.block_label(block),
                       problem.topology().label(holder));
  });
}

void report_missing(const Problem& problem, BlockId block, NodeId destination, Findings& findings) {
  findings.add(delivered, Finding::kAtEnd, index(block), {.node = destination, .block = block}, [&] {
    return fmt::format("block {} has not reached node {}", problem.block_label(block),
                       problem.topology().label(destination));
  });
}

void report_incomplete(const Problem& problem, BlockId block, NodeId destination, Rank lost,
                       Findings& findings) {
  findings.add(delivered, Finding::kAtEnd, index(block), {.node = destination, .block = block}, [&] {
    const Topology& topology = problem.topology();
    return fmt::format("block {} at node {} lacks the contribution of {}", problem.block_label(block),
                       topology.label(destination), topology.label(topology.endpoint(lost)));
  });
}

}  // namespace quadrille::rules
