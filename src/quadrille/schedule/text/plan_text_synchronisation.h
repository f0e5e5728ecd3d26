// The lines 'synchronisation', 'barrier', 'signal' and 'priority' of a plan in text form.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/schedule/text/text_lines.h"

namespace quadrille::plan_text {

/// Reads the rest of each of these lines.
class SynchronisationLines {
 public:
  explicit SynchronisationLines(TextLines& lines) : lines_(lines) {}

  void synchronisation_line();
  void barrier_line();
  void signal_line();
  void priority_line();

  /// When all steps are there.
  void check(const Topology& topology, const Plan& plan) const;
  [[nodiscard]] std::optional<PlanSynchronisation> take() { return std::move(stated_); }

 private:
  using Self = SynchronisationLines;
  PlanSynchronisation& stated() { return stated_ ? *stated_ : stated_.emplace(); }

  TextLines& lines_;
  std::optional<PlanSynchronisation> stated_;
  Signal signal_;                    // of the line that is being read
  Priority priority_;                // of the line that is being read
  std::vector<size_t> barriers_at_;  // where in the text each is: which steps exist is known in the end
  std::vector<size_t> signals_at_;
  std::vector<size_t> priorities_at_;
};

}  // namespace quadrille::plan_text
