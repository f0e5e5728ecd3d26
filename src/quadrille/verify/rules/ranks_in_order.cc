#include "quadrille/verify/rules/ranks_in_order.h"

#include <fmt/format.h>

namespace quadrille::rules {

extern const RuleCard ranks_in_order;
const RuleCard ranks_in_order{
    .name = "ranks_in_order",
    .summary = "where the operator does not commute, every sum is of consecutive ranks",
    .details =
        "Only where the model's operator is ordered. Two sums of consecutive ranks can be combined where one ends "
        "just before the other begins, and the lower ranks go on the left; so each node knows which side is which. "
        "Sums that come in one step are put in order first: what a node has when all have come counts.",
};

void report_sends_out_of_order(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                               NodeId sender, Findings& findings) {
  findings.add(ranks_in_order, step.step(), step.transfer(transfer),
               {.node = sender, .arc = step.view.arcs(transfer).front(), .block = block}, [&] {
                 return fmt::format("node {} sends a sum to block {} over ranks that are not consecutive",
                                    problem.topology().label(sender), problem.block_label(block));
               });
}

void report_adds_out_of_order(const Problem& problem, const JudgedStep& step, size_t transfer, BlockId block,
                              NodeId receiver, Findings& findings) {
  findings.add(ranks_in_order, step.step(), step.transfer(transfer),
               {.node = receiver, .arc = step.view.arcs(transfer).back(), .block = block}, [&] {
                 return fmt::format("node {} then has a sum to block {} over ranks that are not consecutive",
                                    problem.topology().label(receiver), problem.block_label(block));
               });
}

}  // namespace quadrille::rules
