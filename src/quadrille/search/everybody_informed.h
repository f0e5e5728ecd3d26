// Everybody informed, as a formula: can every endpoint have heard from all others within so many steps?
//
// A message brings all that its sender has heard. So this takes no more steps than an allreduce, whose messages are
// sums, and may say only as much: what this formula refutes no allreduce can do. It is about ports: with all of them the
// diameter is enough.
//
//     const EverybodyInformed in_six(parse_topology("line(7)"), {1}, {1}, 6);     // sends, receives
//     solve(in_six.formula()).unsatisfiable();      // so it takes at least seven steps
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/search/formula.h"
#include "quadrille/search/informed_trials.h"
#include "quadrille/search/message_limits.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class EverybodyInformed {
 public:
  EverybodyInformed(const Topology& topology, MessageLimits limits, uint32_t steps);

  [[nodiscard]] const Formula& formula() const { return formula_; }
  /// Who sends to whom, where there is an answer.
  [[nodiscard]] MessagesOfSteps messages(const SearchAnswer& answer) const;

 private:
  void limit(MessageLimits limits);
  void inform(size_t rank);
  [[nodiscard]] int sent(ArcId arc, uint32_t step) const {
    return sent_ + static_cast<int>(index(arc) * steps_ + step - 1);
  }

  Topology topology_;
  uint32_t steps_;
  Formula formula_;
  std::vector<std::vector<ArcId>> into_;
  int sent_ = 0;
};

/// Steps that it takes at least, as far as `conflicts` in one search allow to tell, and how that is known.
struct InformedFloor {
  uint32_t steps = 0;
  /// Lemmas of the refutation of one step fewer, which has been checked; 0 where the given bound says as much.
  uint64_t lemmas = 0;
  /// Messages by which all hear from all in the fewest steps that were found; none where that was not looked for.
  MessagesOfSteps messages{};
};

/// Starts at a bound that is known, and goes up while a step fewer is refuted. The last answers are kept, for all threads.
[[nodiscard]] InformedFloor informed_floor(const Topology& topology, MessageLimits limits, uint32_t known,
                                           uint32_t conflicts);

}  // namespace quadrille
