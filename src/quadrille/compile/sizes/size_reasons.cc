#include "quadrille/compile/sizes/size_reasons.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/comparison/frontier.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/sizes/large_plans.h"
#include "quadrille/compile/sizes/size_ranking.h"
#include "quadrille/compile/sizes/timed_plans.h"

namespace quadrille {
namespace {

// The parts of a plan's time.
TimedPlan timed(const Problem& problem, const SizedPlan& plan, uint64_t bytes) {
  const CostConstants& cost = problem.model().cost;
  const uint64_t chunk = chunk_bytes(bytes, plan.pieces);
  const auto part = [&](const TimedFigures& figures) { return time_of(cost, figures, chunk); };
  TimedPlan out{plan, {}};
  out.plan.prepared.reset();
  out.time.total = plan.time(cost, bytes);
  out.time.latency = part({.start_ups = plan.start_ups});
  out.time.messages = part({.further_messages = plan.further_messages.value_or(0)});
  out.time.propagation = part({.critical_hops = plan.hops.value_or(0)});
  out.time.transfer = part({.critical_blocks = plan.rounds});
  if (plan.rearranged) out.time.rearrangement = part({.rearranged = *plan.rearranged});
  return out;
}

// The largest size from `low` on, where something is true, before one where it is not; it is looked at in doubled sizes.
template <typename IsTrue>
uint64_t last_true_above(uint64_t low, IsTrue is_true) {
  uint64_t high = std::max<uint64_t>(1, low);
  while (high < kLargestMessage && is_true(high)) {
    low = high;
    high = std::min(2 * high, kLargestMessage);
  }
  if (is_true(high)) return high;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (is_true(middle) ? low : high) = middle;
  }
  return low;
}

// The smallest size down from `high`, the same way.
template <typename IsTrue>
uint64_t last_true_below(uint64_t high, IsTrue is_true) {
  uint64_t low = high;
  while (low > 1 && is_true(low)) {
    high = low;
    low /= 2;
  }
  if (is_true(low)) return low;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (is_true(middle) ? high : low) = middle;
  }
  return high;
}

SizedQuestion all_in(const Problem& problem, std::optional<uint32_t> pieces) {
  // Total exchanges of worms are hardly ever better in pieces: their cards say nothing of them, and all are asked.
  const bool is_whole = trades_two_figures(problem);
  const bool measures = is_measured_soon(problem);
  return {.own_pieces_only = !pieces && is_large_for_sizes(problem) && !is_whole && !measures,
          .pieces = pieces,
          .lent = true,
          .measures = measures};
}

// All that is compared, and which of it `auto` takes, where that goes by time.
class Compared {
 public:
  Compared(const Problem& problem, uint64_t bytes, const LeastTime& least, unsigned threads,
           std::optional<uint32_t> pieces)
      : plans(sized_plans(problem, threads, all_in(problem, pieces))),
        problem_(problem),
        least_(least),
        threads_(threads),
        is_large_(!pieces && is_large_for_sizes(problem)) {
    if (!pieces && !is_large_ && !more_costs(problem)) chosen_for_.emplace(problem, least, threads);
    chosen = ask(bytes);
    if (pieces || is_large_ || !more_costs(problem)) return;
    if (const std::optional<SizedPlan> plan = decided_plan(problem, bytes)) chosen = place_of(*plan, plans);
  }

  // Which one `auto` takes for messages of so many bytes: it joins the others. Nothing where that does not go by time, or by measure,
  // which takes too long; on a large network nor where it is one of those that cards predict.
  std::optional<size_t> ask(uint64_t bytes) {
    std::optional<SizedPlan> plan;
    if (is_large_) plan = chosen_at_large(problem_, {&bytes, 1}, plans, least_, threads_).front();
    if (chosen_for_) plan = (*chosen_for_)(bytes);
    return plan ? std::optional(place_of(*plan, plans)) : std::nullopt;
  }

  std::vector<SizedPlan> plans{};
  std::optional<size_t> chosen{};

 private:
  const Problem& problem_;
  const LeastTime& least_;
  unsigned threads_;
  bool is_large_;
  std::optional<ChosenByTime> chosen_for_{};
};

}  // namespace

SizeReasons why_at(const Problem& problem, uint64_t bytes, unsigned threads, std::optional<uint32_t> pieces) {
  const std::vector<Bound> bounds = all_bounds(problem);
  const LeastTime least(problem, bounds);
  Compared compared(problem, bytes, least, threads, pieces);
  std::vector<SizedPlan>& plans = compared.plans;
  std::optional<SizeRanking> all(std::in_place, problem, plans);
  const SizeRanking::Best found = all->best_for(bytes, compared.chosen);
  if (!found.best) throw nothing_is_timed(problem);
  SizeReasons out{.best = timed(problem, plans[*found.best], bytes),
                  .bound = least(bytes),
                  .algorithms = all->best_of_each(bytes).size()};
  const std::string best = plans[*found.best].algorithm;
  const std::optional<size_t> ours = found.best;
  const auto winner = [&](uint64_t size) { return plans[*all->best_for(size, ours).best].algorithm; };
  const auto is_best = [&](uint64_t size) { return winner(size) == best; };
  const uint64_t here = std::clamp<uint64_t>(bytes, 1, kLargestMessage);
  // What is lent is known of the sizes alone that are asked: what it is at the ends of where this one is the best, until
  // nothing new comes there. What wins between them wins at one of them.
  const auto end_of_best = [&](const auto& last) {
    constexpr int kMostAsked = 8;
    for (int asked = 0; asked < kMostAsked; ++asked) {
      const size_t before = plans.size();
      const uint64_t end = last();
      static_cast<void>(compared.ask(end));
      if (plans.size() == before) return end;
      all.emplace(problem, plans);
    }
    return last();
  };
  out.from = end_of_best([&] { return last_true_below(here, is_best); });
  out.to = end_of_best([&] { return last_true_above(here, is_best); });
  if (out.from > 1) out.smaller = winner(out.from - 1);
  if (out.to < kLargestMessage) out.larger = winner(out.to + 1);
  if (!found.next) return out;
  const std::string next = plans[*found.next].algorithm;
  out.next = SizeReasons::Next{.plan = timed(problem, plans[*found.next], bytes)};
  const CostConstants& cost = problem.model().cost;
  const auto loses = [&](uint64_t size) {
    const double of_best = plans[*all->best_of(best, size)].time(cost, size);
    return plans[*all->best_of(next, size)].time(cost, size) >= of_best;
  };
  if (const uint64_t last = last_true_above(here, loses); last < kLargestMessage)
    out.next->wins_from = last + 1;
  if (const uint64_t first = last_true_below(here, loses); first > 1) out.next->wins_to = first - 1;
  return out;
}

namespace {

// What `auto` takes in pieces that are given. On a large network, and where plans are measured, that is the best of what is
// compared.
std::optional<size_t> taken_as_it_is(const Problem& problem, uint64_t bytes, std::optional<uint32_t> pieces,
                                     std::vector<SizedPlan>& plans) {
  if (is_large_for_sizes(problem) || more_costs(problem)) return std::nullopt;
  try {
    const Problem asked = pieces.value_or(1) == 1 ? problem : in_pieces(problem, *pieces);
    const Decision decision = decide(asked, {.bytes = bytes, .any_pieces = !pieces});
    if (!decision.choice->prediction.critical_blocks) return std::nullopt;
    return place_of(sized_choice(*decision.choice), plans);
  } catch (const InputError&) {
    return std::nullopt;  // what is only counted, or only promised
  }
}

// Of the algorithms that serve the problem.
std::vector<std::string> not_among(const std::vector<SizedPlan>& plans, const Problem& problem) {
  std::vector<std::string> out;
  for (const Algorithm* card : algorithm_catalog()) {
    const auto is_its = [card](const SizedPlan& plan) { return family_of(plan) == card->name; };
    if (card->collective == problem.collective().kind() && std::ranges::none_of(plans, is_its) &&
        prepare_serving(*card, problem).fits.applies)
      out.emplace_back(card->name);
  }
  return out;
}

}  // namespace

SizeComparison compare_at(const Problem& problem, uint64_t bytes, unsigned threads,
                          std::optional<uint32_t> pieces) {
  const std::vector<Bound> bounds = all_bounds(problem);
  const LeastTime least(problem, bounds);
  Compared compared(problem, bytes, least, threads, pieces);
  std::vector<SizedPlan>& plans = compared.plans;
  std::optional<size_t> chosen = compared.chosen;
  if (!chosen) chosen = taken_as_it_is(problem, bytes, pieces, plans);
  SizeRanking ranking(problem, plans);
  SizeComparison out{{}, least(bytes)};
  for (const size_t i : ranking.best_of_each(bytes, chosen)) {
    if (!chosen && !plans[i].model_only) chosen = i;
    if (chosen == i) out.chosen = out.plans.size();
    plans[i].prepared.reset();
    out.plans.push_back(plans[i]);
  }
  if (out.plans.empty()) throw nothing_is_timed(problem);
  if (is_large_for_sizes(problem)) out.not_asked = not_among(out.plans, problem);
  return out;
}

}  // namespace quadrille
