// Which card serves a problem best: by what the cards predict, or by name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/runner_up.h"

namespace quadrille {

/// What the card has for the problem: its prepared plans, or why it does not serve it. If the model limits
/// queues, only what predicts to keep the limit. (A card's own applies() does not look at that limit.) A card
/// that needs links of full duplex serves half-duplex ones with its plan made half duplex
/// (compile/lending/half_duplex_plan.h), and says so as the reason.
[[nodiscard]] Preparation prepare_serving(const Algorithm& card, const Problem& problem);

/// What serves the problem best, apart from the card: "alltoall_direct applies, and predicts 30 steps". On
/// large networks plans that take much work to know are looked at only where there is nothing else.
[[nodiscard]] std::string instead_of(const Algorithm& card, const Problem& problem);

/// Throws InputError if a card that was asked for does not serve the problem: the condition that fails, and
/// what serves it.
void require_serves(const Algorithm& card, const Problem& problem);

/// A card that was chosen for a problem, why, what it predicts there, and its plan, with all that was found
/// out on the way.
struct Choice {
  const Algorithm* algorithm = nullptr;
  std::string reason{};
  Prediction prediction{};
  /// Of a family, the member that was chosen; empty where the card is none.
  std::string member{};
  PreparedPlan plan{};
  std::optional<RunnerUp> runner_up{};  ///< where several were asked
  /// Of a plan that is lent, what it is made of (lending/loan.h); the algorithm is the first in it.
  std::string made_of{};

  /// "alltoall_ring"; of a family "alltoall_wormhole_rings:tree"; lent, "reversed(broadcast_torus)".
  [[nodiscard]] std::string name() const;
  void generate(StepSink& sink) const;
  /// Blocks that the busiest node rearranges: what is predicted; nothing to rearrange where every worm is a
  /// single block; empty where neither is known.
  [[nodiscard]] std::optional<uint64_t> rearranged() const;
  /// Hops of the longest way of each step, added up: what is predicted; where every transfer takes one link,
  /// the start-ups.
  [[nodiscard]] std::optional<uint64_t> critical_hops() const;
  /// Messages of one node in a step beyond its first, added up: what is predicted; none where it has one port.
  [[nodiscard]] std::optional<uint64_t> further_messages() const;
};

/// What a card may not say of the time that its plan takes.
struct MeasuredCost {
  std::optional<uint64_t> rearranged{};  ///< empty where there is no layout, or nobody asked
  std::optional<uint64_t> critical_hops{};
  std::optional<uint64_t> further_messages{};
};
/// Makes the plan of a choice and measures its way, its messages, and what it rearranges (program/arrays/array_layout.h); empty
/// where that would take too long.
using CostMeter = std::function<MeasuredCost(const Choice&)>;

/// The card that serves the problem with the fewest predicted steps. In a total exchange of worms, where
/// plans trade start-ups for blocks, the card and member that cost least by the model's constants, for blocks
/// of so many bytes; among equals the one with fewer start-ups, then fewer blocks. A card that does not
/// predict these figures comes after all that do; in a tie plans that take much work to know come after the
/// others, and then the catalog's order counts. These are asked one after the other, and only as long as they
/// can be the best: `fewest_steps` is a lower bound, and where a prediction reaches it (where worms are
/// chosen by time: on more than 128 nodes) no other is asked. (On smaller networks, once one had to be asked,
/// all are: that takes a moment, and tells the runner-up.) What the losers found out is dropped at once. The
/// reason is short: the prediction, how many cards apply, the runner-up. Throws InputError, with every card's
/// reason, when none applies.
///
/// On half-duplex links full-duplex plans, made half duplex, are looked at, too, the best first, unless a card
/// reaches the bound: so no choice takes more than twice the steps that it takes on full-duplex links.
///
/// Where no card reaches the bound, plans are lent: from weaker machines, harder collectives, the reversed network
/// (lending/lending.h).
///
/// Where rearranging costs time (rho > 0) and a card does not say how much it rearranges, or distance does
/// (tl > 0) and it does not say how far its worms go, or messages do (to > 0), the meter is asked, if there is one, as long as the card
/// may still be the cheapest; the choice predicts what was measured. Cards of which it remains unknown come
/// after all others: no card is best because part of its time is not counted. Members of one family are
/// compared without what they do not say.
///
/// `asks_lenders`: false of whoever asks them otherwise.
[[nodiscard]] Choice choose_algorithm(const Problem& problem, uint64_t block_bytes = 1,
                                      uint64_t fewest_steps = 0, const CostMeter& meter = {},
                                      bool asks_lenders = true);

/// The best of the problem's own cards alone, as choose_algorithm() finds it without a meter; nothing where none
/// applies. `little_effort`: only of those whose prediction takes a moment.
[[nodiscard]] std::optional<Choice> choose_own(const Problem& problem, uint64_t block_bytes,
                                               uint64_t fewest_steps, bool little_effort);

/// The algorithm that was asked for ("NAME", or "NAME:MEMBER" of a family; of a family's name alone the
/// member that costs least; or what is lent, "reversed(NAME)"), or for "auto" what choose_algorithm() says. Throws InputError, with what there
/// is, for a name that is not known, that is for another collective, or that does not apply. What is lent is compacted for the goal.
[[nodiscard]] Choice pick_algorithm(const Problem& problem, const std::string& asked, const Goal& goal = {},
                                    uint64_t fewest_steps = 0, const CostMeter& meter = {});

/// Whether its plan is one card's own that is the same at all nodes (Algorithm::same_at_all_nodes).
[[nodiscard]] bool is_same_at_all_nodes(const Choice& choice);
/// Another card that predicts what a choice does, and whose plans are the same at all nodes (Algorithm::same_at_all_nodes);
/// nothing where there is none, where the choice is one itself, or where time counts of which cards may not speak.
[[nodiscard]] std::optional<Choice> as_good_at_all_nodes(const Problem& problem, const Choice& choice);

/// Every card that serves the problem, one after the other in the catalog's order; of a family the member
/// that costs least. What a card has found out is dropped before the next one is asked, unless `use` keeps
/// the choice.
void for_each_choice(const Problem& problem, uint64_t block_bytes, const std::function<void(Choice)>& use);

/// Every card that serves the problem and predicts start-ups and critical blocks, every member of a family by
/// itself; only those that no other one reaches in both, by rising start-ups. What is rearranged does not
/// count. Throws InputError where there is none.
[[nodiscard]] std::vector<Choice> pareto_front(const Problem& problem);

}  // namespace quadrille
