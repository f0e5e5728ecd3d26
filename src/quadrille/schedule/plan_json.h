// The JSON form of plans, for other programs: docs/plan_format.md says it field by field.
//
//     {"format":"quadrille-plan","version":1,
//      "topology":{"spec":"ring(3)","nodes":3,"endpoints":[0,1,2],"links":[[0,1,1],[0,2,1],...]},
//      "collective":{"kind":"broadcast","root":0,"pieces":1},
//      "model":{"send_ports":"all","receive_ports":"all","switching":"packet","duplex":"full"},
//      "steps":[[{"path":[0,1],"blocks":[[0]]},{"path":[0,2],"blocks":[[0]]}]]}
//
// Keys may come in any order. A key that is not in the format is refused (a misspelt "send_port" must not
// turn into all ports) unless it starts with "x-": such a key and all below it is skipped.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class PlanListener;

/// Reads a plan; `source` is how errors call the text. Throws InputError with line, column, caret and place
/// (steps[3][7].path) of the first mistake. Memory stays within a small multiple of the text.
[[nodiscard]] PlanFile read_plan_json(std::string_view text, std::string_view source,
                                      GraphFiles files = GraphFiles::kRefused,
                                      PlanListener* listener = nullptr);

[[nodiscard]] std::string write_plan_json(const PlanFile& file);

/// Writes the head at once and each step as it is pushed, one line a step.
[[nodiscard]] std::unique_ptr<PlanWriter> json_plan_writer(const PlanHead& head, TextOutput output);

}  // namespace quadrille
