#include "quadrille/algorithms/packing/balanced_timetable.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"
#include "quadrille/transforms/slots/slot_exchange.h"

namespace quadrille {
namespace {

// Of an exchange, for each block: its path, twice over, the steps of its hops, and where it stands in a queue; measured on
// 2,048 nodes.
constexpr uint64_t kBytesPerBlock = 170;
// Slots of links that all searches together look at. What is found in a short timetable is found soon: 89 exchanges among 12 to 64
// nodes, with one port, two and all, came to the same steps as with the most per hop.
constexpr uint64_t kExchangeWork = 60'000'000;
constexpr uint64_t kMostExchangeWorkPerHop = 1'000;
constexpr uint64_t kLeastExchangeWorkPerHop = 100;

// Unequal counts: a few links are full, and where blocks of one pair crowd there all of them have to find other ways.
constexpr uint64_t kExchangeWorkOfCounts = 20'000'000;
constexpr int kPatience = 40;
constexpr int kPatienceOfCounts = 200;

bool is_of_counts(const Problem& problem) { return problem.collective().counts() != nullptr; }

uint64_t exchange_work(const Problem& problem, uint64_t hops) {
  if (is_of_counts(problem) && hops > 0)
    return std::max(kExchangeWorkOfCounts, std::min(kExchangeWork, kMostExchangeWorkPerHop * hops));
  const uint64_t per_hop = std::clamp(hops / 8, kLeastExchangeWorkPerHop, kMostExchangeWorkPerHop);
  return std::min(kExchangeWork, per_hop * hops);
}

}  // namespace

TimedPaths with_slots_exchanged(const Problem& problem, TimedPaths paths, uint64_t least) {
  if (!SlotExchange::knows(problem)) return paths;
  SlotExchange exchange(problem, paths,
                        {.work = exchange_work(problem, paths.arcs.size()),
                         .longer_by = problem.topology().num_nodes(),
                         .dead = {},
                         .patience = is_of_counts(problem) ? kPatienceOfCounts : kPatience});
  least = good_enough_steps(problem, least);
  while (paths.steps > least && exchange.has_work_left()) {
    std::optional<TimedPaths> better = exchange.within(paths.steps - 1);
    if (!better) break;
    paths = std::move(*better);
    tell_found(problem, paths.steps);
    exchange.take(paths);
  }
  return paths;
}

namespace {

// Of so few blocks what is asked for in passing is put in order, and no more: what slots exchanged would save there, nobody
// borrows. By time somebody may: merged, other steps make other messages.
constexpr uint64_t kFewBlocks = 400;

TimedPaths balanced(const Problem& problem) {
  const PricedPaths paths(problem);
  if (WorthMaking::is_asked_in_passing() && !WorthMaking::is_by_time() &&
      problem.collective().num_blocks() <= kFewBlocks)
    return ordered_paths(problem, paths);
  return with_slots_exchanged(problem, schedule_paths(problem, paths), paths.least());
}

// Paths near the bound may do; where their steps come out longer than that, they have to be better.
TimedPaths balanced_within_gap(const Problem& problem) {
  const SearchWishes wishes = SearchLimits::now();
  if (wishes.gap <= 0) return balanced(problem);
  const auto with_gap = [&](double gap) {
    SearchWishes other = wishes;
    other.gap = gap;
    const SearchLimits limits(other);
    return balanced(problem);
  };
  TimedPaths soon = with_gap(wishes.gap / 2);
  if (searches_are_stopped() || soon.steps <= good_enough_steps(problem, 0)) return soon;
  TimedPaths better = with_gap(0);
  return better.steps < soon.steps ? better : soon;
}

TimedPaths found_once(const Problem& problem) {
  count_work(Work::kSearching);
  require_memory(Int128{problem.collective().num_blocks()} * kBytesPerBlock,
                 fmt::format("following every block of {}", problem.title()));
  if (const TimedPaths* known = KeptPaths::find(problem)) return *known;
  TimedPaths found = balanced_within_gap(problem);
  KeptPaths::keep(problem, found);
  return found;
}

// Who asks in passing looks for no half of a per cent.
uint64_t paths_wanted(const Problem& problem) {
  constexpr uint64_t kHardlyFewer = 200;
  const uint64_t least = paths_at_least(problem);
  return WorthMaking::is_asked_in_passing() ? least + least / kHardlyFewer : least;
}

}  // namespace

Preparation on_balanced_paths(const Problem& problem) {
  const auto wanted = [](const Problem& p) -> std::optional<TimedPaths> {
    if (WorthMaking::is_limited() && !WorthMaking::is_any_of_packets(paths_wanted(p))) return std::nullopt;
    return found_once(p);
  };
  const auto predicted = [](const Problem&, const std::optional<TimedPaths>& paths) -> Prediction {
    if (!paths) return {};
    return {.steps = paths->steps, .start_ups = paths->steps, .measured = true};
  };
  const auto generate = [](const Problem& p, const std::optional<TimedPaths>& paths, StepSink& sink) {
    paths ? paths->generate(sink) : found_once(p).generate(sink);
  };
  return Preparation::of(sharing(problem, wanted, predicted, generate, Effort::kMuch));
}

}  // namespace quadrille
