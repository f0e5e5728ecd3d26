// Search limits: when searches may stop before they are done.
//
//     const SearchLimits limits({.gap = 0.03, .effort = 2, .of = "alltoall on ..", .least = 52});
//     work < SearchLimits::work(60'000'000)                     // in a search: its budget, times the effort
//     steps <= SearchLimits::good_enough("alltoall on ..", 49)  // 3 % above 52
//     searches_are_stopped()                                    // Ctrl-C: what there is has to do
//
// Budgets count work and never seconds, so that the same wishes give the same plan on any machine, however many threads work
// at it. Only whoever presses Ctrl-C makes a difference.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace quadrille {

struct SearchWishes {
  double gap = 0;      ///< a search ends once it is within this part of a bound: 0.03 for 3 %
  double effort = 1;   ///< how much work searches may take, times what they take by themselves
  std::string of{};    ///< the problem that `least` is for
  uint64_t least = 0;  ///< a lower bound
  /// Told of every plan for it that is the best so far, by its steps.
  std::function<void(uint64_t)> found{};
  /// Told of all blocks' paths for it that are the best so far, before their steps are known, by those that the busiest link needs.
  std::function<void(uint64_t)> paths_found{};
};

/// While it lives, searches of this thread keep to it; of several the last one counts.
class SearchLimits {
 public:
  explicit SearchLimits(SearchWishes wishes);
  ~SearchLimits();
  SearchLimits(const SearchLimits&) = delete;
  SearchLimits& operator=(const SearchLimits&) = delete;

  /// What counts now: for whoever gives work to other threads.
  [[nodiscard]] static const SearchWishes& now();
  /// A budget, times the effort; at least 1.
  [[nodiscard]] static uint64_t work(uint64_t by_itself);
  /// Steps that a search need not go below, whose own bound is `least`.
  [[nodiscard]] static uint64_t good_enough(std::string_view of, uint64_t least);

 private:
  SearchWishes before_;
};

/// Searches end with the best that they have, as soon as they have anything. May be called by a signal handler.
void stop_searches() noexcept;
[[nodiscard]] bool searches_are_stopped() noexcept;
/// For whoever begins anew.
void let_searches_run() noexcept;

}  // namespace quadrille
