// Lent plan: a choice that is made of others by a loan.
#pragma once

#include <string>
#include <vector>

#include "quadrille/compile/choice.h"
#include "quadrille/compile/lending/loan.h"

namespace quadrille {

/// Whether what is lent for the problem is stored, compacted and measured in a moment: then it predicts what was
/// measured.
[[nodiscard]] bool is_settled_quickly(const Problem& problem);

/// "reversed(broadcast_torus)", "reduce_bfs_tree + broadcast_urgent".
[[nodiscard]] std::string lent_name(const Loan& loan, const std::vector<Choice>& lenders);

/// The choice for `problem` that takes the loan, given choices for its lenders, in their order. Where it cannot
/// be settled quickly it predicts what follows from its lenders' predictions, if anything. Where the loan will
/// not do after all it predicts nothing, and refuses to generate. Steps are compacted as far as that is good for
/// the goal: by time, not for more rounds than they save.
[[nodiscard]] Choice lend(const Problem& problem, const Loan& loan, std::vector<Choice> lenders,
                          const Goal& goal = {});

}  // namespace quadrille
