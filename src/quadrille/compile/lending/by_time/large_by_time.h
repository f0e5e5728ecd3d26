// By time on large networks: where TimedLending would ask lenders for minutes, a look at those that most often have
// something to lend.
//
//     LargeByTime search(problem, 2);
//     search.best_for(1 << 20, known)   // broadcast_disjoint_trees in 60 pieces, packet(allgather_bucket), ...
//
// Cards are asked for what they predict in a moment; of those whose plans take work to know, the ones that stream a
// vector, in the number of pieces that the flow to the farthest node asks for. Lenders are weaker machines (packets,
// paths that share nothing, one port), the reversed collective, a harder one, and two that follow each other; they ask lenders in
// turn, but no further; of more than 1,024 endpoints the same collective of packets, the reversed one, and the two halves of an allreduce
// alone. What they lend is not compacted: its figures follow from theirs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "quadrille/compile/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Whether it may be asked: the network is too large for is_chosen_by_time(), and nothing else is in the way.
[[nodiscard]] bool is_chosen_by_time_at_large(const Problem& problem);

/// For one size after another.
class LargeByTime {
 public:
  /// `problem` is in one piece. `threads`: at most that many.
  LargeByTime(const Problem& problem, unsigned threads);
  ~LargeByTime();
  LargeByTime(const LargeByTime&) = delete;
  LargeByTime& operator=(const LargeByTime&) = delete;

  /// Looks for what best_for() is about to be asked for, where `known` is what is known before the problem's own cards are asked: for
  /// a thread beside the one that asks them. best_for() finds the same without it.
  void look_ahead(uint64_t message_bytes, double known);
  /// Told by the other thread meanwhile: what they take. The look ends where no plan takes less.
  void is_known(double time);

  /// The best that was found, if it takes less than `known`, which is finite where the problem's own cards were asked already;
  /// the problem of its plan is in those pieces that were chosen.
  [[nodiscard]] std::optional<Choice> best_for(uint64_t message_bytes, double known);

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

}  // namespace quadrille
