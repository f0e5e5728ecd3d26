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
        "step. Where partial sums are kept apart in slots, those that are sent together have no contribution in "
        "common, nor what is added with the slot that it goes into, nor, in the end, the slots of a destination. "
        "There a copy into slot 0 replaces all slots; one into another slot replaces what is in it, and is the "
        "only arrival there.",
};

void report_counted_twice(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId receiver, Rank twice, Findings& findings) {
  findings.add(contributions, step.step(), step.transfer(transfer),
               {.node = receiver, .arc = step.view.arcs(transfer).back(), .block = block}, [&] {
                 const Topology& topology = problem.topology();
                 return fmt::format("node {} adds the contribution of {} to block {} a second time",
                                    topology.label(receiver), topology.label(topology.endpoint(twice)),
                                    problem.block_label(block));
               });
}

void report_sends_twice(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                        NodeId sender, Rank twice, Findings& findings) {
  findings.add(contributions, step.step(), step.transfer(transfer),
               {.node = sender, .arc = step.view.arcs(transfer).front(), .block = block}, [&] {
                 const Topology& topology = problem.topology();
                 return fmt::format("node {} sends slots of block {} that both have the contribution of {}",
                                    topology.label(sender), problem.block_label(block),
                                    topology.label(topology.endpoint(twice)));
               });
}

void report_ends_twice(const Problem& problem, BlockId block, NodeId destination, Rank twice,
                       Findings& findings) {
  findings.add(contributions, Finding::kAtEnd, index(block), {.node = destination, .block = block}, [&] {
    const Topology& topology = problem.topology();
    return fmt::format("slots of block {} at node {} both have the contribution of {}",
                       problem.block_label(block), topology.label(destination),
                       topology.label(topology.endpoint(twice)));
  });
}

void report_copy_conflict(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId receiver, Findings& findings) {
  findings.add(contributions, step.step(), step.transfer(transfer),
               {.node = receiver, .arc = step.view.arcs(transfer).back(), .block = block}, [&] {
                 return fmt::format("node {} receives a copy of block {} together with something else for it",
                                    problem.topology().label(receiver), problem.block_label(block));
               });
}

}  // namespace quadrille::rules
