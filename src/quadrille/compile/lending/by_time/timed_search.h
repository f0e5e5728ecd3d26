// Timed search: for messages of one problem, the plan that takes least time among those of its own cards and what can be lent.
//
// What a task's own cards say comes first, then what lenders may have in less time than the best so far, the most promising
// first; a problem and its reversed one are looked at together, and each task is answered once for a size.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "quadrille/compile/choice.h"
#include "quadrille/compile/lending/by_time/timed_offers.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/by_time/timed_task.h"
#include "quadrille/compile/lending/lending.h"
#include "quadrille/compile/lending/strength.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class TimedSearch {
 public:
  /// `problem` is in one piece. `threads`: at most that many.
  TimedSearch(const Problem& problem, unsigned threads);

  /// For a message of so many bytes; nothing where no card and no loan says its figures. `least`: no plan takes less. `limit`: what
  /// takes as long is of no use, but may be named. `each_number_of_ports`: slower machines that may take less
  /// than the limit as they are, and not compacted, are all asked. `pieces`: in no other number; 0: any.
  [[nodiscard]] std::optional<Choice> best(const Problem& problem, uint64_t bytes, double least,
                                           double limit = kNever, bool each_number_of_ports = false,
                                           uint32_t pieces = 0);

  /// After that: the best of each of the problem's own cards, the best of all first.
  [[nodiscard]] const std::vector<Choice>& asked() const { return asked_; }

 private:
  // Both ways round.
  using Answer = std::array<std::optional<Choice>, 2>;
  // Whatever takes less time than the limit has been looked for.
  struct Known {
    Answer answer{};
    double limit = 0;
  };
  struct Own {
    std::optional<Choice> choice{};
    double limit = 0;
  };

  static double time_of(const Answer& answer, uint64_t bytes);

  // The best so far: without those that are asked last where these come later.
  std::optional<Choice> best_now(const Problem& problem, uint64_t bytes, double limit);
  [[nodiscard]] static std::optional<Choice> as_ours(const Problem& problem, uint64_t bytes,
                                                     const Choice& found);
  void let_search(const TimedTask& task, std::vector<TaskKey>& asked);
  void ask_exchange_for(const TimedTask& task);
  void ask_broadcasts_for(const TimedTask& task);
  void ask_packets_for(const TimedTask& task);
  void ask_worms_for(const TimedTask& task);
  void ask_merged_for(const TimedTask& task);
  void ask_own(const Problem& problem, uint64_t bytes, double limit);
  [[nodiscard]] SaidByCards* said_of(const TimedTask& task) { return &said_[key_for_any_size(task)]; }
  [[nodiscard]] OwnCards own_cards(const TimedTask& task, double least, double limit);
  [[nodiscard]] Problem turned_round(const Problem& problem, bool turned) const;
  [[nodiscard]] TimedTask turned_round(const TimedTask& task) const;
  // Of the problem itself and its reversed one what takes work is asked on any network, or they contradict each other.
  [[nodiscard]] bool is_asked_for(const TimedTask& task) const;
  [[nodiscard]] bool is_of_packets(const TimedTask& task) const;  // of worms

  // `other`: the same in other words, which has been asked for already.
  const std::optional<Choice>& own_of(const TimedTask& task, double least, double limit,
                                      const TimedTask* other = nullptr);
  // What can be had for the task in less time than the limit; null: nothing.
  const Choice* ask(const TimedTask& task, Strength strength, double limit);
  const Answer& answer_of(const TimedTask& task, Strength strength, double limit);
  Answer make_answer(const TimedTask& task, Strength strength, double limit);

  void take_own(Answer& best, const TimedTask& task, double least, double limit, bool backwards);
  // Made of lenders of which each is in 1 / parts of our pieces.
  void take_lent(Answer& best, const TimedTask& task, const Loan& loan, std::vector<Choice> lenders,
                 bool backwards, uint32_t parts = 1);
  // The own plan of a problem and its mirror image, each with half of every block.
  void take_mirrored(Answer& best, const TimedTask& task, double least, double limit, bool backwards);
  void take_mirrored(Answer& best, const TimedTask& task, const Choice& own, bool backwards);
  // What is short in one piece, in as many as fill wide links together.
  void take_together(Answer& best, const TimedTask& task, double least, bool backwards);
  void take_offer(Answer& best, const TimedOffer& offer, double wanted);
  // In messages of two packets, four, and so on; where that saves time, also in more pieces, whose rounds are shorter.
  void take_merged(Answer& best, const TimedOffer& offer, double wanted);
  void take_merged(Answer& best, const TimedOffer& offer, const Choice& packets, double wanted);
  // Both in the pieces that are best for the first, or for the second.
  void take_sum(Answer& best, const TimedOffer& offer, double wanted);
  // The better one of the two is kept, and turned round as long as that saves time.
  void take(Answer& best, Choice choice, uint64_t bytes, bool backwards);
  // What a choice is, read backwards, if anything.
  bool turn(const Choice& choice, Choice& other, uint64_t bytes) const;

  unsigned threads_;
  bool small_;
  bool medium_;
  uint32_t pieces_ = 0;  // of what is asked for; 0: any
  bool few_ = false;
  bool each_number_of_ports_ = false;
  bool near_ = false;                   // hardly anything can be gained
  bool is_late_ = true;                 // cards that are asked last are asked now
  std::array<Topology, 2> topologies_;  // as it is, and turned round
  TaskBounds bounds_;
  std::vector<Choice> asked_{};
  std::map<TaskKey, Known> answers_{};
  std::map<TaskKey, Own> own_{};
  // The problem, an exchange on it or the broadcasts in it, its packets and those that are merged, and its worms, each both ways; for
  // any size.
  std::vector<TaskKey> asked_for_{};
  std::vector<TaskKey> asked_packets_{};  // of these the packets
  std::map<TaskKey, SaidByCards> said_{};
};

}  // namespace quadrille
