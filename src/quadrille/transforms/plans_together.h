// Plans together: plans of disjoint groups of ranks, at once on the same links and ports.
//
//     const std::vector<Plan> merged = plans_together({{rows, plan_of_rows}, {columns, plan_of_columns}});
//     // merged[i] does what the i-th plan does, in steps that all of them count alike
//
// Transfers are put, one after another, into the first step in which their links and ports are free, and which comes after
// what they need of their own plan. Those of the plan that has most steps left go first. In a step in which nothing of a plan
// is sent, that plan has an empty step; behind its last transfer it ends.
#pragma once

#include <span>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct PlanOfGroup {
  const Problem* problem = nullptr;
  const Plan* plan = nullptr;
};

/// One plan for each, in their order. All problems are on the same nodes and arcs, with the same model, in which transfers do
/// not share arcs; no rank belongs to two. Plans that the judge passes are still such, and together they keep the rules, too.
[[nodiscard]] std::vector<Plan> plans_together(std::span<const PlanOfGroup> plans);

}  // namespace quadrille
