// Timed plans: what `auto` chooses for messages of certain sizes, beside all else that is compared.
//
// A comparison asks every card for its figures; `auto` also looks at what can be lent (lending/timed_lending.h). So that a
// table never says otherwise than the plan that is made, its choice joins what is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/lending/by_time/timed_lending.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A choice by its figures, which are known.
[[nodiscard]] SizedPlan sized_choice(const Choice& choice);

/// What is chosen for one size after another; nothing where that does not go by time. What was asked for one size is known
/// for the next.
class ChosenByTime {
 public:
  /// The problem is one in one piece. `least` must outlive it.
  ChosenByTime(const Problem& problem, const LeastTime& least, unsigned threads);
  /// `limit`: what takes as long is of no use, and may be left out.
  [[nodiscard]] std::optional<SizedPlan> operator()(uint64_t bytes,
                                                    double limit = std::numeric_limits<double>::infinity());

 private:
  const LeastTime& least_;
  std::unique_ptr<TimedLending> lending_{};
  std::optional<Problem> in_order_{};
};

/// For each size what is chosen for it, where that goes by time; else nothing. The problem is one in one piece.
[[nodiscard]] std::vector<std::optional<SizedPlan>> chosen_by_time(const Problem& problem,
                                                                   std::span<const uint64_t> sizes,
                                                                   const LeastTime& least, unsigned threads);

/// Where it is among the plans; it is added at their end where it is not there yet.
[[nodiscard]] size_t place_of(const SizedPlan& plan, std::vector<SizedPlan>& plans);

/// Adds those that are not there yet, by rising start-ups; then where each of them is.
[[nodiscard]] std::vector<std::optional<size_t>> add_chosen(
    const std::vector<std::optional<SizedPlan>>& chosen, std::vector<SizedPlan>& plans);

}  // namespace quadrille
