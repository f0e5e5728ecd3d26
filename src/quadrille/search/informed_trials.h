// Informed trials: in how few steps everybody can have heard from all others, as far as changing who sends to whom finds it.
//
// It is the other side of everybody_informed.h: what is found here needs no solver any more, and the step below is the one to
// refute. A trial exchanges one message, and is kept where no less is heard in the end than some trials ago (late
// acceptance: Burke and Bykov 2017). It takes half a microsecond on 16 nodes.
//
//     InformedTrials trials(topology, {1, 1});
//     uint32_t left = 3'000;
//     if (trials.find(6, left)) use(trials.messages());
//     if (trials.find(6, left)) use(trials.messages());     // another one, as a rule
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/search/message_limits.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Who sends to whom: the arcs of each step, from the first on.
using MessagesOfSteps = std::vector<std::vector<ArcId>>;

class InformedTrials {
 public:
  /// Whoever has heard of what is a bit of a word.
  static constexpr uint32_t kMostRanks = 64;

  /// Of at most kMostRanks ranks.
  InformedTrials(const Topology& topology, MessageLimits limits);

  /// Steps after which all have heard from all, where every message is of the most that it can tell; nothing where that takes more.
  std::optional<uint32_t> hurry(uint32_t at_most);
  /// Whether so many steps were found to be enough; trials are taken from those that are `left`. Asked again, it goes on from where
  /// it was.
  bool find(uint32_t steps, uint32_t& left);
  /// Those of what was found last.
  [[nodiscard]] MessagesOfSteps messages() const;

 private:
  struct Step {
    std::vector<ArcId> sends;
    std::vector<uint32_t> places;  // per arc: its place in sends, and one more; 0 where it is not there
    std::vector<uint32_t> starts;  // per node
    std::vector<uint32_t> ends;
  };
  struct Aim {
    size_t step;
    ArcId arc;
  };

  void begin();
  void push_step();
  void put_in(Step& step, ArcId arc);
  [[nodiscard]] bool has_room(const Step& step, ArcId arc) const;
  void take_out(Step& step, ArcId arc);
  template <typename Arcs>
  void take_out_one_of(Step& step, const Arcs& arcs, uint32_t sent);
  void fill(Step& step, std::vector<ArcId>& arcs);
  [[nodiscard]] Aim aimed();
  void insert(Step& step, ArcId arc);
  void change(Step& step, ArcId arc);
  void follow(size_t from);
  void try_one();
  [[nodiscard]] uint64_t heard() const;
  [[nodiscard]] uint64_t goal() const { return uint64_t{net_.num_endpoints()} * net_.num_endpoints(); }
  [[nodiscard]] uint32_t drawn(size_t below) { return static_cast<uint32_t>(rng_.below(below)); }

  Topology net_;
  size_t nodes_;
  uint32_t starts_;
  uint32_t ends_;
  Rng rng_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<ArcId> arcs_;
  std::vector<Step> plan_;
  std::vector<uint64_t> known_;  // per step, from 0 on, and node
  uint64_t current_ = 0;
  std::vector<uint64_t> before_;     // what was heard some trials ago
  std::vector<uint64_t> kept_;       // known_ before the trial
  uint32_t done_ = 0;                // trials since the beginning
  std::optional<uint32_t> found_{};  // how many they were then
  Step old_;
  std::vector<ArcId> gone_;
  std::vector<ArcId> near_;
  std::vector<std::pair<int, ArcId>> worth_;
};

/// Steps that are enough, `at_least` where so many are; nothing on more than 64 ranks, or where some endpoint cannot reach another.
[[nodiscard]] std::optional<uint32_t> informed_within(const Topology& topology, MessageLimits limits,
                                                      uint32_t at_least, uint32_t trials);

}  // namespace quadrille
