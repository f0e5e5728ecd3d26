// Rules transfer_form and path_exists: what a transfer must be before it can be judged at all.
#pragma once

#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

/// Stands in front of all other rules. A good step passes through untouched; of a bad one it keeps the
/// transfers that have the right form, so that the other rules still see what can be seen.
class TransferForm {
 public:
  explicit TransferForm(const Problem& problem) : problem_(problem) {}

  /// The step to judge. It views the given step, or memory of this object that lasts until the next call.
  [[nodiscard]] JudgedStep admit(const StepView& step, uint32_t number, Findings& findings);

 private:
  [[nodiscard]] bool all_well_formed(const StepView& step) const;
  /// Reports what is wrong with transfer t, if anything is.
  bool check(const StepView& step, uint32_t number, size_t t, Findings& findings) const;

  const Problem& problem_;
  StepBuilder kept_;
  std::vector<uint32_t> original_;
};

}  // namespace quadrille::rules
