// Timed task: a message whose fastest plan is looked for, what tells it from all others, and what is known to bound it.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/lending/asked_key.h"
#include "quadrille/compile/lending/strength.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Equal but for rounding.
inline constexpr double kAlike = 1e-9;

/// A message on a network as it is, or turned round.
struct TimedTask {
  Problem problem;  ///< in one piece
  bool turned = false;
  uint64_t bytes = 0;
  uint32_t pieces = 0;  ///< 0: any
};

/// What tells tasks on one network apart, and how hard they are worked at.
using TaskKey = std::tuple<AskedKey, uint64_t, uint32_t, Strength>;  // bytes and pieces
[[nodiscard]] TaskKey key_of(const TimedTask& task, Strength strength);
/// What does not depend on the size of the message.
[[nodiscard]] TaskKey key_for_any_size(const TimedTask& task);

/// With ports that no node has more of said to be all.
[[nodiscard]] Problem with_plain_ports(const Problem& problem);
/// Of a node that sends or receives, whatever is more; at least 1.
[[nodiscard]] uint32_t port_count(const Problem& problem);
/// Whether a reversed plan may be better: an alltoall on links that are alike both ways is its own reversed one.
[[nodiscard]] bool is_asked_backwards(const Problem& problem);

/// What bounds say of the tasks of one network; each is asked once for all sizes.
class TaskBounds {
 public:
  /// Where everything is asked for its own bound; else a task has none but the one that is given.
  explicit TaskBounds(bool asks_all) : asks_all_(asks_all) {}

  /// For the task that all others may help; no plan of it takes less.
  void start(const TimedTask& task, double least);
  /// What that one takes at least.
  [[nodiscard]] double least() const { return least_; }

  /// No plan takes less time; where what is known in a moment says `enough` already, that.
  [[nodiscard]] double bound(const TimedTask& task, double enough);
  /// The same of a lender, of which nothing is known where not all are asked.
  [[nodiscard]] double bound_of_lender(const TimedTask& lender, double enough) {
    return asks_all_ ? bound(lender, enough) : 0;
  }
  /// Rounds of the whole message, as far as it is known.
  [[nodiscard]] double least_rounds_of(const TimedTask& task) const;

 private:
  // Where a message is in however many pieces. `quick`: by what is known in a moment.
  const LeastTime& least_time_of(const TimedTask& task, bool quick);

  bool asks_all_;
  double least_ = 0;
  std::map<TaskKey, LeastTime> bounds_{};
  std::map<TaskKey, LeastTime> quick_bounds_{};
};

}  // namespace quadrille
