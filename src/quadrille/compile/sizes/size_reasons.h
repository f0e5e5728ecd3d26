// Size reasons: why one plan is the fastest for a message of some size, and from which size on another one is.
//
//     const SizeReasons why = why_at(problem, 1 << 20, 2);
//     why.best.algorithm        // "allreduce_lattice:steps-9"
//     why.best.time.latency     // 9 us of start-ups, beside 45.9 us on links
//     why.next->wins_from       // 1.6 MiB: there the next one takes less time
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A plan and what its time is made of.
struct TimedPlan {
  SizedPlan plan{};
  PlanTime time{};
};

struct SizeReasons {
  TimedPlan best{};
  /// The sizes around this one for which no other algorithm takes less time: from 1 byte on, or to the largest size that is
  /// looked at, where none does.
  uint64_t from = 0;
  uint64_t to = 0;
  std::string smaller{};  ///< what is best just below; empty: nothing else
  std::string larger{};   ///< and just above
  struct Next {
    TimedPlan plan{};
    /// The nearest larger, and smaller, size at which it takes less time than the best algorithm of this one.
    std::optional<uint64_t> wins_from{};
    std::optional<uint64_t> wins_to{};
  };
  std::optional<Next> next{};
  TimeBound bound{};
  size_t algorithms = 0;  ///< of which plans were compared
};

/// The largest size that is looked at: 2^50 bytes.
inline constexpr uint64_t kLargestMessage = uint64_t{1} << 50U;

/// Throws InputError where no algorithm serves the problem, or none says how long it takes. The problem is one in one
/// piece; `pieces`: in which it is sent, if that is not to be chosen.
[[nodiscard]] SizeReasons why_at(const Problem& problem, uint64_t bytes, unsigned threads,
                                 std::optional<uint32_t> pieces = {});

/// Every algorithm, in the pieces in which it takes least time, by rising time; published costs beside.
struct SizeComparison {
  std::vector<SizedPlan> plans{};
  TimeBound bound{};
  std::optional<size_t> chosen{};  ///< of the plans the one that `auto` takes
  /// Algorithms that serve the problem and of which only their plans say how long they take, on a network where that is not
  /// found out for all.
  std::vector<std::string> not_asked{};
};
[[nodiscard]] SizeComparison compare_at(const Problem& problem, uint64_t bytes, unsigned threads,
                                        std::optional<uint32_t> pieces = {});

}  // namespace quadrille
