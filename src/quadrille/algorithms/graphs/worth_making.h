// Worth making: of how many steps a plan may be, or how long it may take, before nobody wants it.
//
// A card may have to make its plan, or half of it, to say how many steps that has. Who asks several cards about a large
// network says how many steps are known to do; a card that is sure not to do with fewer may then predict nothing.
//
//     const WorthMaking wanted(best.steps);                       // who asks
//     if (!WorthMaking::is_any_of(least_steps(problem))) return {};   // the card
#pragma once

#include <cstdint>
#include <limits>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/plan.h"

namespace quadrille {

class WorthMaking {
 public:
  /// What a plan takes is its start-ups and its rounds (critical_blocks), each of which costs time.
  struct LessTime {
    double than = std::numeric_limits<double>::infinity();
    double of_start_up = 0;
    double of_round = 0;
  };

  /// While it lives, on this thread, plans of fewer steps alone are; where several live, the fewest count. `in_passing`: who
  /// asks may do without, so that what takes long is not worth it.
  explicit WorthMaking(uint64_t fewer_than, bool in_passing = false);
  /// And those that take less time; of several the last one counts.
  WorthMaking(uint64_t fewer_than, bool in_passing, const LessTime& time);
  ~WorthMaking();
  WorthMaking(const WorthMaking&) = delete;
  WorthMaking& operator=(const WorthMaking&) = delete;

  /// Whether a plan of at least so many steps, and rounds, may be.
  [[nodiscard]] static bool is_any_of(uint64_t least_steps, uint64_t least_rounds = 0);
  /// The same of single packets: every step is a round.
  [[nodiscard]] static bool is_any_of_packets(uint64_t least_steps) {
    return is_any_of(least_steps, least_steps);
  }
  /// Whether somebody has said what is; else every plan is, and there is no need to find out how long it may be.
  [[nodiscard]] static bool is_limited();
  /// Whether plans are compared by time, and not by steps.
  [[nodiscard]] static bool is_by_time();
  [[nodiscard]] static bool is_asked_in_passing();

 private:
  uint64_t before_;
  bool was_in_passing_;
  LessTime time_before_;
};

/// While it lives, on this thread, the best plan of all is looked for: plans that are there to be asked for by name, since others are
/// as good, need not be made.
class LooksForBest {
 public:
  LooksForBest();
  ~LooksForBest();
  LooksForBest(const LooksForBest&) = delete;
  LooksForBest& operator=(const LooksForBest&) = delete;

  [[nodiscard]] static bool is_on();

 private:
  bool before_;
};

/// Of a card that searches for its plan: it predicts what the plan has, and nothing where that is sure not to be wanted.
/// `least(problem)` are steps that no plan of it does without; `make(problem, least)` makes it. `alike_in_passing`: it makes the same
/// for whoever asks in passing.
[[nodiscard]] Preparation prepare_if_wanted(const Problem& problem, uint64_t (*least)(const Problem&),
                                            Plan (*make)(const Problem&, uint64_t),
                                            bool alike_in_passing = false);

}  // namespace quadrille
