// Sum search: an allreduce of one block in so many steps, found by solving a formula (search/formula.h).
//
// Every node is told of every rank exactly once, by messages that are sums of earlier messages, or it gets the whole
// sum from a node that has it. What is searched for is which rank is in which message; that the parts of a message
// come and go together is the formula's business, and what makes it hard.
//
// Where the network looks alike from many places the plan may, too: then the formula is about one place of each kind.
// A group of automorphisms (free_groups.h) says how.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "quadrille/algorithms/partial_sums/free_groups.h"
#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// How much may be spent on all searches for one problem, as clauses looked at.
struct SumSearchBudget {
  uint64_t clauses = uint64_t{1} << 28U;
  uint64_t at_once = uint64_t{1} << 26U;  ///< for one of them

  uint64_t fewest_conflicts =
      100;  ///< a search that can afford less is left out: it finds nothing, as a rule

  /// Of each group: there are no plans of so many steps or fewer; formulas of these steps or more have so many clauses, or
  /// more. So none is made twice that says nothing new.
  struct Known {
    uint32_t refuted = 0;
    uint32_t large = UINT32_MAX;
    uint64_t clauses = 0;
  };
  std::map<const FreeGroup*, Known> known{};
};

/// A plan of so many steps that looks the same from all images of a place; nothing where there is none, or none was
/// found with what is left of the budget.
[[nodiscard]] std::optional<SumPlan> search_sums(const Problem& problem, const FreeGroup& group,
                                                 uint32_t steps, SumSearchBudget& budget);

}  // namespace quadrille
