// The text form of plans, for people: small enough for a slide, it diffs line by line, and it reads back to
// the same plan. docs/plan_format.md has the grammar.
//
//     quadrille-plan 1
//     topology ring(3)
//     collective alltoall
//     model send=1 receive=1
//     step
//     0>1: 0-1          # path of nodes, then blocks: from node 0 to node 1
//     1>2: 1-2
//     2>0: 2-0
//     step
//     0>2: 0-2
//     1>0: 1-0
//     2>1: 2-1
//
// Only the first line, the topology and the collective are needed; '#' starts a comment. Lines 'barrier' and
// 'signal' before the steps say how those are kept apart without a clock (plan_synchronisation.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class PlanListener;

/// Reads a plan; `source` is how errors call the text. Throws InputError with a caret under the first
/// mistake.
[[nodiscard]] PlanFile read_plan_text(std::string_view text, std::string_view source,
                                      GraphFiles files = GraphFiles::kRefused,
                                      PlanListener* listener = nullptr);

[[nodiscard]] std::string write_plan_text(const PlanFile& file);

/// Writes the head at once and each step as it is pushed, one line a transfer.
[[nodiscard]] std::unique_ptr<PlanWriter> text_plan_writer(const PlanHead& head, TextOutput output);

}  // namespace quadrille
