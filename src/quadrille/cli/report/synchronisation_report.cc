#include "quadrille/cli/report/synchronisation_report.h"

#include <fmt/format.h>

#include <vector>

#include "quadrille/base/text.h"

namespace quadrille {

std::string means_of(const PlanSynchronisation& sync) {
  std::vector<std::string> parts;
  if (!sync.barriers.empty()) parts.push_back(plural(sync.barriers.size(), "barrier"));
  if (!sync.signals.empty()) parts.push_back(plural(sync.signals.size(), "signal"));
  if (!sync.priorities.empty())
    parts.push_back(fmt::format("{} {}", with_thousands(sync.priorities.size()),
                                sync.priorities.size() == 1 ? "priority" : "priorities"));
  return parts.empty() ? "nothing" : join(parts, " and ");
}

void report_synchronisation(const Compiled& judged, Report& report) {
  if (!judged.synchronised) return;
  const SynchronisationCheck& check = *judged.synchronised;
  const std::string means = means_of(*judged.head.synchronisation);
  std::string text =
      fmt::format("{}: {} for {}", means == "nothing" ? "by nothing" : means,
                  check.passed() ? "enough" : "not enough", plural(check.conflicts, "conflict"));
  if (check.states) text += fmt::format("; played in every order, {}", plural(*check.states, "state"));
  report.add("synchronised", text, check.passed());
  report.add_json("conflicts", check.conflicts);
  report.add_json("interleaving_states", check.states ? Json(*check.states) : Json());
}

Verdict verdict_with_synchronisation(const Compiled& judged) {
  Verdict verdict = judged.verdict;
  if (!judged.synchronised) return verdict;
  verdict.findings = judged.synchronised->findings;
  verdict.total_findings = judged.synchronised->total_findings;
  return verdict;
}

}  // namespace quadrille
