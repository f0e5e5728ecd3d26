// Reduce for operators that do not commute: a binomial tree over consecutive ranks, with the root anywhere in it.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/in_order/in_order_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_in_order_binomial;

namespace reduce_in_order_binomial_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (problem.model().combining != Operator::kOrdered)
    return Applicability::no("it is for operators that do not commute");
  return rounds_apply(problem);
}

RankRounds rounds(const Problem& problem, uint32_t ports) {
  const Collective& collective = problem.collective();
  return in_order_rounds(collective.num_ranks(), static_cast<uint32_t>(index(*collective.root())), ports + 1,
                         collective.pieces());
}

Preparation prepare(const Problem& problem) {
  return prepare_rounds(
      problem, {{.rounds = [](const Problem& p) { return rounds(p, busy_ports(p)); }, .by_number = true}});
}

}  // namespace
}  // namespace reduce_in_order_binomial_parts

constinit const Algorithm reduce_in_order_binomial = {
    .name = "reduce_in_order_binomial",
    .collective = CollectiveKind::kReduce,
    .summary =
        "for operators that do not commute: a tree over consecutive ranks, with as many children a round as ports",
    .source = "folklore; MPI libraries for operators that do not commute. The root anywhere: ours",
    .remarks =
        "any network, in as few steps as its links leave; any ports; ceil(log_(k+1) p) steps with k ports on complete networks, wherever the root is, which no plan beats",
    .may_keep_order = true,
    .applies = reduce_in_order_binomial_parts::applies,
    .prepare = reduce_in_order_binomial_parts::prepare,
};

}  // namespace quadrille::algorithms
