// What plans rearrange in memory (program/arrays/array_layout.h), how far their worms go, and how many messages one node has in a
// step, for the time that it takes: measured where it is not predicted, on small networks. A plan that was made for that is kept, so that nobody makes or judges it
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "quadrille/compile/choice.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// A plan that was made and judged, and its arrays where there is a layout.
struct LaidOutPlan {
  Verdict verdict{};
  Schedule schedule;
  std::optional<ArrayLayout> arrays{};
};

/// Larger networks are not asked for arrays that nobody asked for.
inline constexpr uint32_t kMostNodesOfArrays = 128;

class ArrayMeter {
 public:
  /// `problem` must outlive the meter. `queues`: whether the judge measures them on the way.
  explicit ArrayMeter(const Problem& problem, bool queues = false) : problem_(problem), queues_(queues) {}

  /// Makes the plan of a choice and, where rearranging costs time, lays out its arrays; nothing on more than
  /// 128 nodes.
  [[nodiscard]] MeasuredCost operator()(const Choice& choice);

  /// What was made for that choice; null where nothing was.
  [[nodiscard]] std::shared_ptr<const LaidOutPlan> made(const Choice& choice) const;

 private:
  const Problem& problem_;
  bool queues_;
  std::unordered_map<std::string, std::shared_ptr<const LaidOutPlan>> made_{};  // by the choice's name
};

/// What the busiest node moves in memory between steps: in an array layout where there is one, else by packing
/// (program/arrays/packed_messages.h).
[[nodiscard]] std::vector<RearrangedBefore> rearranged_before(const Schedule& schedule);

/// The layout of a schedule, checked. Throws InputError where there is none.
[[nodiscard]] ArrayLayout checked_arrays(const Schedule& schedule);

}  // namespace quadrille
