// Delta of a plan: what faults change of it, in a text of its own. Whoever is not named keeps the program that he has.
//
//     quadrille-delta 1
//     base 6f0c9b1d2e3a4b5c      # the plan that it changes
//     without link 0 1           # what is dead, as plan --without has it
//     later 0                    # all steps of the base come so many steps later
//     step 3
//     - 0>1: 0-5                 # is not sent any more
//     + 0>4: 0-5                 # is sent, too
//
// Nodes and blocks have the numbers of the base. docs/plan_format.md has the grammar. A delta is a proposal like the plan
// that it makes: the judge says whether that is good.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/topology/faults/faults.h"

namespace quadrille {

struct PlanDelta {
  uint64_t base = 0;                  ///< digest_of() the plan that it changes
  std::vector<std::string> faults{};  ///< "link A B", "arc A B", "node A": topology/faults/faults.h
  uint32_t later = 0;
  Plan dropped{};  ///< step by step of the new plan, in numbers of the base
  Plan added{};

  friend bool operator==(const PlanDelta&, const PlanDelta&) = default;
};

/// Of the problem and all steps; the same on every machine.
[[nodiscard]] uint64_t digest_of(const Problem& problem, const Plan& plan);

/// Throws InputError with a caret under the first mistake; for the delta of another plan, too.
[[nodiscard]] PlanDelta read_plan_delta(std::string_view text, std::string_view source, const PlanFile& base);
[[nodiscard]] std::string write_plan_delta(const Problem& base, const PlanDelta& delta);

/// The plan for what the faults leave; steps stay where they are, even if nothing is sent in one any more. Throws InputError
/// where the base does not send what is to be dropped, where what is sent then has to do with a dead node, or where the faults
/// cut somebody off.
[[nodiscard]] PlanFile with_delta(const PlanFile& base, const PlanDelta& delta);

/// How many nodes of the base the delta names in what is dropped and added: all others keep their programs.
[[nodiscard]] uint32_t nodes_changed(const Topology& base, const PlanDelta& delta);

/// The dead of a delta.
[[nodiscard]] Faults faults_of(const Topology& base, const PlanDelta& delta);

}  // namespace quadrille
