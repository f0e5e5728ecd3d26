// Ranking of plans by the time that they take for a message of some size.
//
//     std::vector<SizedPlan> plans = sized_plans(problem, 2);
//     SizeRanking ranking(problem, plans);
//     const auto [best, next] = ranking.best_for(1 << 20);   // indices into plans
//
// Where a part of a time is not predicted (what is rearranged, how far messages go, how many a node has in a step) the
// plan is made and measured once it may be among those that are asked for; until then it is looked at as if that part took
// no time. What can be neither predicted nor measured comes after all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "quadrille/compile/by_size.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Whether all parts of the time of a plan are known that cost something.
[[nodiscard]] bool is_known(const Problem& problem, const SizedPlan& plan);
/// The algorithm of a plan, whichever member of its family it is; all that a lent one is made of.
[[nodiscard]] std::string_view family_of(const SizedPlan& plan);

class SizeRanking {
 public:
  /// Both must outlive the ranking.
  SizeRanking(const Problem& problem, std::vector<SizedPlan>& plans);

  struct Best {
    std::optional<size_t> best{};
    std::optional<size_t> next{};  ///< by another algorithm or member
  };
  /// Of those that are built. Of equal times the one that is `chosen`, then the plan that is made with less effort, then the
  /// one in fewer pieces.
  [[nodiscard]] Best best_for(uint64_t bytes, std::optional<size_t> chosen = {});
  /// The best plan of an algorithm, with its member if it has one.
  [[nodiscard]] std::optional<size_t> best_of(std::string_view algorithm, uint64_t bytes);
  /// The best one of each algorithm, by rising time; published costs, too. Of equal times the one that is `chosen` first.
  [[nodiscard]] std::vector<size_t> best_of_each(uint64_t bytes, std::optional<size_t> chosen = {});

  /// Is not looked at any more.
  void drop(size_t plan);
  /// Makes the plan, and takes from it what is not known.
  void measure(size_t plan);

 private:
  using Key = std::tuple<bool, double, Effort, uint32_t>;
  [[nodiscard]] Key key(size_t plan, uint64_t bytes) const;
  void sort(std::vector<size_t>& order, uint64_t bytes, std::optional<size_t> chosen = {}) const;
  [[nodiscard]] bool is_open(const std::optional<size_t>& plan) const;

  const Problem& problem_;
  std::vector<SizedPlan>& plans_;
  std::vector<size_t> built_{};
};

}  // namespace quadrille
