// Timed lending: the plan that takes least time for a message of a given size, in however many pieces, of a problem's
// own cards and of all that can be lent to it.
//
// A message keeps its size from loan to loan, and lenders choose their own pieces: what is lent is in as many. An
// allreduce is made of a reduce_scatter and an allgather of messages of an N-th of its bytes. Bounds in time tell
// which loans are worth asking, and the best of a problem is looked for once, however many ask. So no harder collective
// and no weaker machine takes less time than what it holds: whoever has the better plan lends it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "quadrille/compile/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Whether `auto` chooses so: not where order, hops, messages or rearrangement cost, nor on networks too large for it.
[[nodiscard]] bool is_chosen_by_time(const Problem& problem);

/// The same of a network of any size.
[[nodiscard]] bool is_chosen_by_time_but_for_size(const Problem& problem);

/// For one size after another: what cards say of their plans is asked once for all.
class TimedLending {
 public:
  /// `problem` is in one piece. `threads`: at most that many.
  TimedLending(const Problem& problem, unsigned threads);
  ~TimedLending();
  TimedLending(const TimedLending&) = delete;
  TimedLending& operator=(const TimedLending&) = delete;

  /// The problem of the choice's plan is in those pieces that were chosen, and the reason says why. Nothing where no card and
  /// no loan says its figures. `least`: no plan takes less. `limit`: what takes as long is of no use, so that searches which
  /// promise no less are not made, and slower machines hardly asked. `pieces`: in no other number; 0: any.
  [[nodiscard]] std::optional<Choice> best_for(uint64_t message_bytes, double least,
                                               double limit = std::numeric_limits<double>::infinity(),
                                               uint32_t pieces = 0);

 private:
  struct Searches;
  std::unique_ptr<Searches> searches_;
};

/// For one size.
[[nodiscard]] std::optional<Choice> choose_by_time(const Problem& problem, uint64_t message_bytes,
                                                   double least, unsigned threads, uint32_t pieces = 0);

/// The same of a loan that is asked for by its name.
[[nodiscard]] std::optional<Choice> pick_loan_by_time(const Problem& problem, std::string_view name,
                                                      uint64_t message_bytes);

}  // namespace quadrille
