// What plan, verify and run say about a plan that was judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/compile.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// Topology, collective and model.
void report_problem(const Problem& problem, Report& report);

/// Steps and the other figures against what was predicted or stated, the best lower bound, and how far above
/// it the plan is. For a plan that passed.
void report_figures(const Compiled& judged, Report& report);

/// Where no plan can be made here: the predicted figures, the bounds, and the time that follows from them.
void report_predicted(const Decision& decision, uint64_t message_bytes, Report& report);

/// What it takes by the model's constants, if they say more than how many steps there are.
void report_time(const Compiled& judged, uint64_t message_bytes, Report& report);
/// What it would be on another machine: the constants of the problem are not looked at.
void report_time_on(const CostConstants& cost, const Compiled& judged, uint64_t message_bytes,
                    Report& report);

/// The longest queues, if they were measured.
void report_queues(const Problem& problem, const std::optional<QueueFigures>& queues, Report& report);

/// The judge's verdict: "passed", or how many findings there are; with the findings in the JSON.
void report_verdict(const Problem& problem, const Verdict& verdict, Report& report);

/// The findings, one a line, and how many more there are.
[[nodiscard]] std::string findings_text(const Verdict& verdict);

}  // namespace quadrille
