#include "quadrille/verify/rules/delivered_once.h"

#include <fmt/format.h>

namespace quadrille::rules {

extern const RuleCard delivered_once;
const RuleCard delivered_once{
    .name = "delivered_once",
    .summary =
        "a block is delivered once: it stays where it was meant to go, and no endpoint receives what it has",
    .details =
        "Scatter, gather and alltoall: a block that is at its destination is not sent on. Broadcast and "
        "allgather: no endpoint receives a block twice; a router may, since it need not keep what it has "
        "passed on. Reductions have contributions instead.",
};

void report_leaves_destination(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                               Findings& findings) {
  findings.add(
      delivered_once, step.step(), step.transfer(transfer),
      {.node = problem.destination(block), .arc = step.view.arcs(transfer).front(), .block = block}, [&] {
        return fmt::format("block {} leaves node {}, which is its destination", problem.block_label(block),
                           problem.topology().label(problem.destination(block)));
      });
}

void report_has_already(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                        NodeId receiver, Findings& findings) {
  findings.add(delivered_once, step.step(), step.transfer(transfer),
               {.node = receiver, .arc = step.view.arcs(transfer).back(), .block = block}, [&] {
                 return fmt::format("node {} receives block {} a second time",
                                    problem.topology().label(receiver), problem.block_label(block));
               });
}

}  // namespace quadrille::rules
