#include "quadrille/verify/rules/sender_holds.h"

#include <fmt/format.h>

namespace quadrille::rules {

extern const RuleCard sender_holds;
const RuleCard sender_holds{
    .name = "sender_holds",
    .summary = "who sends a block has it at the start of the step",
    .details =
        "What arrives in a step can be sent on in the next one. In scatter, gather and alltoall a block "
        "moves: it leaves its holder once, and is nowhere else. A block that is sent by a node that lacks it "
        "counts as arrived, so that one mistake is not reported at every later hop.",
};

void report_not_at_sender(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                          NodeId sender, NodeId holder, bool moved_now, Findings& findings) {
  findings.add(sender_holds, step.step(), step.transfer(transfer),
               {.node = sender, .arc = step.view.arcs(transfer).front(), .block = block}, [&] {
                 const Topology& topology = problem.topology();
                 return fmt::format("node {} sends block {}, which {} {}", topology.label(sender),
                                    problem.block_label(block),
                                    moved_now ? "is on its way in this step to" : "is at",
                                    topology.label(holder));
               });
}

void report_sender_lacks(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                         NodeId sender, Findings& findings) {
  findings.add(sender_holds, step.step(), step.transfer(transfer),
               {.node = sender, .arc = step.view.arcs(transfer).front(), .block = block}, [&] {
                 return fmt::format(
                     "node {} sends {} {}, which it does not have at the start of the step",
                     problem.topology().label(sender),
                     problem.collective().flow() == Flow::kCombine ? "a contribution to block" : "block",
                     problem.block_label(block));
               });
}

}  // namespace quadrille::rules
