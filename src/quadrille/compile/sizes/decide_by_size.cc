#include "quadrille/compile/sizes/decide_by_size.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/decide_as_it_is.h"
#include "quadrille/compile/lending/by_time/large_by_time.h"
#include "quadrille/compile/lending/by_time/large_loans.h"
#include "quadrille/compile/lending/by_time/timed_lending.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/handed_on.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/decide_by_measure.h"
#include "quadrille/compile/sizes/decision_time.h"
#include "quadrille/compile/sizes/plain_costs.h"
#include "quadrille/compile/step_watcher.h"

namespace quadrille {
namespace {

constexpr unsigned kPlanningThreads = 2;

// One block, in a plan that is judged in a moment.
bool is_soon_judged(const Problem& problem) {
  const Collective& collective = problem.collective();
  return collective.block_count() == 1 && problem.topology().num_nodes() <= 4096;
}

// What is found of those that take less time.
std::optional<Decision> faster_than(double time, const Problem& problem, const Wishes& wishes,
                                    bool asks_lenders) {
  const WorthMaking wanted(UINT64_MAX, false, less_time(problem, *wishes.bytes, time * (1 - kHardlyFaster)));
  try {
    Decision other = decide_as_it_is(problem, wishes, asks_lenders);
    const std::optional<double> taken = time_of_decision(other, *wishes.bytes);
    if (taken && *taken < time) return other;
  } catch (const InputError&) {
    // Nothing else serves.
  }
  return std::nullopt;
}

// Whether lenders are asked beside the cards, with one core, too, as the limits of such a look are others: a look that turns out to
// be in vain ends within a moment on such networks. An exchange of long worms, or of all at once over shared links, has cards that
// come near the bound, and say so at once, and lenders that take seconds, longer than these as a rule: so they are asked first.
bool looks_ahead(const Problem& problem, uint64_t bytes) {
  constexpr uint32_t kMostNodes = 1024;
  const Model& model = problem.model();
  const WorthMaking::LessTime costs = less_time(problem, bytes, kNever);
  const bool is_long = takes_paths(model) && costs.of_round >= costs.of_start_up;
  const bool is_at_once =
      model.switching == Switching::kShared && model.send.unlimited() && model.receive.unlimited();
  const bool has_cards = problem.collective().kind() == CollectiveKind::kAlltoall && (is_long || is_at_once);
  return problem.topology().num_endpoints() <= kMostNodes && !has_cards;
}

// The same in the pieces that are given.
std::optional<Choice> chosen_in_pieces(const Problem& problem, const Wishes& wishes) {
  if (wishes.algorithm != "auto") return std::nullopt;
  const uint32_t pieces = problem.collective().pieces();
  const Problem whole = in_pieces(problem, 1);
  const WatchedWork watched(wishes.progress, "choosing an algorithm");
  if (is_in_order_by_time(whole)) return in_order_by_time(whole, *wishes.bytes, pieces);
  if (!is_chosen_by_time(whole)) return std::nullopt;
  return choose_by_time(whole, *wishes.bytes, least_time_as_it_is(problem, *wishes.bytes), kPlanningThreads,
                        pieces);
}

// In the pieces that are best where start-ups and bytes alone cost.
std::optional<Choice> named_loan(const Problem& problem, const Wishes& wishes) {
  if (!more_costs(problem)) return pick_loan_by_time(problem, wishes.algorithm, *wishes.bytes);
  const Problem plain = with_plain_costs(problem).front();
  const std::optional<Choice> found = pick_loan_by_time(plain, wishes.algorithm, *wishes.bytes);
  if (!found) return std::nullopt;
  Choice out = handed_to(in_pieces(problem, found->plan->problem().collective().pieces()), *found);
  out.reason = found->reason;
  return out;
}

// Choosing by time goes by pieces, too, and so does a loan that is named.
std::optional<Choice> chosen_with_its_pieces(const Problem& problem, const Wishes& wishes) {
  if (!wishes.any_pieces) return chosen_in_pieces(problem, wishes);
  if (problem.collective().pieces() != 1) return std::nullopt;
  const bool is_auto = wishes.algorithm == "auto";
  if (is_auto && is_in_order_by_time(problem)) {
    const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
    return in_order_by_time(problem, *wishes.bytes);
  }
  const bool serves = is_auto ? is_chosen_by_time(problem) : names_loan(wishes.algorithm);
  if (!serves) return std::nullopt;
  const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
  if (!is_auto) return named_loan(problem, wishes);
  const double least = least_time(problem, *wishes.bytes, all_bounds(problem)).time;
  return choose_by_time(problem, *wishes.bytes, least, kPlanningThreads);
}

// What is known before the problem is asked as it stands.
struct Known {
  std::optional<SizedChoice> sized{};  // a card's, in its pieces
  std::optional<Choice> lent{};        // single packets that are faster yet
  double time = kNever;
  bool whole_may_be_faster = true;

  [[nodiscard]] bool has_any() const { return sized || lent; }
};

bool is_large_choice(const Problem& problem, const Wishes& wishes) {
  return wishes.algorithm == "auto" && is_large_for_sizes(problem);
}

// `limit`: of something else.
Known what_is_known(const Problem& problem, const Wishes& wishes, double limit) {
  Known out;
  {
    const uint32_t given = problem.collective().pieces();
    const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
    out.sized =
        choose_by_size(given == 1 ? problem : in_pieces(problem, 1), wishes.algorithm, *wishes.bytes,
                       kPlanningThreads, wishes.any_pieces ? std::nullopt : std::optional(given), limit);
    if (out.sized) out.time = out.sized->plan.time(problem.model().cost, *wishes.bytes);
    out.time = std::min(out.time, limit);
  }
  if (!is_large_choice(problem, wishes)) return out;
  const WatchedWork watched(wishes.progress, "choosing an algorithm");
  out.lent = packets_by_time(problem, *wishes.bytes, out.time);
  if (out.lent) out.time = time_for(*out.lent, *wishes.bytes);
  out.whole_may_be_faster = least_time_as_it_is(problem, *wishes.bytes) * (1 + kHardlyFaster) < out.time;
  return out;
}

// What is chosen as the problem stands, in its pieces.
struct AsItIs {
  std::optional<Decision> decision{};  // none where it takes longer than is known
  std::optional<double> time{};        // of that one
  bool is_untimed = false;             // nothing is known of it, nor of anything else
};

// `tell` hears of every time that is found.
AsItIs choose_as_it_is(const Problem& problem, const Wishes& wishes, const Known& known, bool asks_lenders,
                       const std::function<void(double)>& tell) {
  if (!known.whole_may_be_faster) return {};
  const bool is_large = is_large_choice(problem, wishes);
  // What can hardly be faster is not searched for.
  std::optional<WorthMaking> wanted;
  if (is_large && known.time < kNever)
    wanted.emplace(UINT64_MAX, false, less_time(problem, *wishes.bytes, known.time * (1 - kHardlyFaster)));
  AsItIs out;
  try {
    Decision whole = decide_as_it_is(problem, wishes, asks_lenders);
    std::optional<double> time = time_of_decision(whole, *wishes.bytes);
    if (!time && (is_soon_judged(problem) || !known.has_any())) time = time_of_plan(whole, *wishes.bytes);
    // It was chosen by its steps, and something of more steps, and fewer rounds, may be faster: of worms once or twice, of packets
    // where nothing was known.
    int turns = wanted ? 0 : 1;
    if (takes_paths(problem.model())) turns = 2;
    const double least = is_large ? least_time_as_it_is(problem, *wishes.bytes) : 0;
    for (; is_large && turns > 0 && time && *time < known.time; --turns) {
      tell(*time);
      if (least >= *time * (1 - kHardlyFaster)) break;
      std::optional<Decision> faster = faster_than(*time, problem, wishes, asks_lenders);
      if (!faster) break;
      time = time_of_decision(*faster, *wishes.bytes);
      whole = *std::move(faster);
    }
    if (time && *time <= known.time * (1 + 1e-9)) {
      tell(*time);
      out.decision = std::move(whole);
      out.time = time;
    }
    out.is_untimed = !out.time && !known.has_any();
  } catch (const InputError&) {
    // Some serve pieces alone.
  }
  return out;
}

void tell_nobody(double /*time*/) {}

struct BesideLenders {
  AsItIs whole{};
  std::optional<Choice> loan{};  // faster than all else
};

BesideLenders choose_beside_lenders(const Problem& problem, const Wishes& wishes, const Known& known) {
  const WatchedWork watched(wishes.progress, "choosing algorithm and pieces");
  LargeByTime search(problem, kPlanningThreads);
  BesideLenders out;
  const auto choose_whole = [&](const std::function<void(double)>& tell) {
    out.whole = choose_as_it_is(problem, wishes, known, false, tell);
  };
  if (known.whole_may_be_faster && looks_ahead(problem, *wishes.bytes)) {
    const auto and_tell = [&] { choose_whole([&](double time) { search.is_known(time); }); };
    both_at_once(and_tell, [&, by = HandedOn()] {
      const TakenOver here(by);
      search.look_ahead(*wishes.bytes, known.time);
    });
  } else {
    choose_whole(tell_nobody);
  }
  if (!out.whole.is_untimed) out.loan = search.best_for(*wishes.bytes, out.whole.time.value_or(known.time));
  return out;
}

std::optional<Decision> decide_as_it_stands(const Problem& problem, const Wishes& wishes, double known_time) {
  if (std::optional<Choice> choice = chosen_with_its_pieces(problem, wishes))
    return decision_of(*std::move(choice));
  const uint32_t given = problem.collective().pieces();
  const bool asks_lenders = is_large_choice(problem, wishes) && wishes.any_pieces && given == 1 &&
                            is_chosen_by_time_at_large(problem);
  Known known = what_is_known(problem, wishes, known_time);
  if (!known.has_any() && !asks_lenders) return std::nullopt;
  BesideLenders found;
  if (asks_lenders) {
    found = choose_beside_lenders(problem, wishes, known);
  } else {
    found.whole = choose_as_it_is(problem, wishes, known, true, tell_nobody);
  }
  if (found.whole.is_untimed) return std::nullopt;
  if (found.loan) return decision_of(*std::move(found.loan));
  if (found.whole.decision || !known.has_any()) return std::move(found.whole.decision);
  if (known.lent) return decision_of(*std::move(known.lent));
  Wishes chosen = wishes;
  chosen.algorithm = known.sized->plan.algorithm;
  const uint32_t pieces = known.sized->plan.pieces;
  Decision out = decide_as_it_is(pieces == given ? problem : in_pieces(problem, pieces), chosen);
  out.reason = known.sized->reason;
  out.runner_up = known.sized->next;
  return out;
}

}  // namespace

std::optional<Decision> decide_by_size(const Problem& problem, const Wishes& wishes, double known_time) {
  if (is_decided_by_measure(problem, wishes))
    return decide_by_measure(problem, wishes, known_time, decide_as_it_stands);
  return decide_as_it_stands(problem, wishes, known_time);
}

}  // namespace quadrille
