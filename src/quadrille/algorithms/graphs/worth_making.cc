#include "quadrille/algorithms/graphs/worth_making.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

uint64_t& fewer_than_now() {
  thread_local uint64_t steps = UINT64_MAX;
  return steps;
}

bool& in_passing_now() {
  thread_local bool in_passing = false;
  return in_passing;
}

bool& best_is_looked_for() {
  thread_local bool is_on = false;
  return is_on;
}

WorthMaking::LessTime& less_time_now() {
  thread_local WorthMaking::LessTime time;
  return time;
}

}  // namespace

WorthMaking::WorthMaking(uint64_t fewer_than, bool in_passing)
    : WorthMaking(fewer_than, in_passing, less_time_now()) {}

WorthMaking::WorthMaking(uint64_t fewer_than, bool in_passing, const LessTime& time)
    : before_(fewer_than_now()), was_in_passing_(in_passing_now()), time_before_(less_time_now()) {
  fewer_than_now() = std::min(before_, fewer_than);
  in_passing_now() = was_in_passing_ || in_passing;
  less_time_now() = time;
}

WorthMaking::~WorthMaking() {
  fewer_than_now() = before_;
  in_passing_now() = was_in_passing_;
  less_time_now() = time_before_;
}

LooksForBest::LooksForBest() : before_(best_is_looked_for()) { best_is_looked_for() = true; }
LooksForBest::~LooksForBest() { best_is_looked_for() = before_; }
bool LooksForBest::is_on() { return best_is_looked_for(); }

bool WorthMaking::is_any_of(uint64_t least_steps, uint64_t least_rounds) {
  if (least_steps >= fewer_than_now()) return false;
  const LessTime& time = less_time_now();
  return static_cast<double>(least_steps) * time.of_start_up +
             static_cast<double>(least_rounds) * time.of_round <
         time.than;
}

bool WorthMaking::is_asked_in_passing() { return in_passing_now(); }

bool WorthMaking::is_by_time() { return less_time_now().of_start_up > 0 || less_time_now().of_round > 0; }

bool WorthMaking::is_limited() {
  return fewer_than_now() != UINT64_MAX || less_time_now().than != std::numeric_limits<double>::infinity();
}

namespace {

using Search = Plan (*)(const Problem&, uint64_t);

// What was searched for, and what the search depends on.
struct Found {
  Search search;
  Problem problem;
  uint64_t good_enough;
  double gap;
  double effort;
  bool in_passing;
  bool streams_by_time;
  bool is_unwanted;  // so that it may have been given up
  Plan plan;
};

bool is_same_search(const Problem& a, const Problem& b) {
  Model one = a.model();
  Model other = b.model();
  one.cost = other.cost = {};
  return one == other && a.collective() == b.collective() && a.topology().same_graph(b.topology());
}

// Streams are searched for longer where nobody asks for them in other numbers of pieces, too.
bool streams_by_time(const Problem& problem) {
  return problem.collective().root().has_value() && WorthMaking::is_by_time();
}

// Machines of one packet and of many, and whoever borrows from them, ask for the same: of small plans those that were found
// last are kept, and of large ones, which are asked for again within one choice, few, on whichever thread that was.
Plan found_once(Search search, bool alike_in_passing, const Problem& problem, uint64_t least) {
  constexpr size_t kMostKept = 64;
  constexpr size_t kMostTransfers = size_t{1} << 15U;
  constexpr size_t kMostTransfersOfLarge = size_t{1} << 21U;  // of one, and of two that are kept
  static std::mutex mutex;
  static std::deque<Found> small;
  static std::deque<Found> large;
  const uint64_t good_enough = good_enough_steps(problem, least);
  const auto [gap, effort] = std::pair(SearchLimits::now().gap, SearchLimits::now().effort);
  count_work(Work::kSearching);
  const bool in_passing = in_passing_now() && !alike_in_passing;
  {
    const std::lock_guard lock(mutex);
    for (const std::deque<Found>* kept : {&small, &large}) {
      for (const Found& found : *kept) {
        if (found.search != search || found.good_enough != good_enough || found.gap != gap ||
            found.effort != effort || found.in_passing != in_passing ||
            found.streams_by_time != streams_by_time(problem) || !is_same_search(found.problem, problem))
          continue;
        if (found.is_unwanted && WorthMaking::is_any_of_packets(found.plan.num_steps())) continue;
        tell_found(problem, found.plan.num_steps());
        return found.plan;
      }
    }
  }
  Plan plan = search(problem, least);
  const uint64_t transfers = plan.num_transfers();
  if (searches_are_stopped() || transfers > kMostTransfersOfLarge) return plan;
  const std::lock_guard lock(mutex);
  std::deque<Found>& kept = transfers > kMostTransfers ? large : small;
  kept.push_front({search, problem, good_enough, gap, effort, in_passing, streams_by_time(problem),
                   !WorthMaking::is_any_of_packets(plan.num_steps()), plan});
  if (transfers <= kMostTransfers) {
    if (kept.size() > kMostKept) kept.pop_back();
    return plan;
  }
  uint64_t all = 0;
  for (const Found& found : kept) all += found.plan.num_transfers();
  for (; all > 2 * kMostTransfersOfLarge; kept.pop_back()) all -= kept.back().plan.num_transfers();
  return plan;
}

// Of every step the longest worm, and the one of most blocks.
void add_worms(Prediction& out, const Plan& plan) {
  uint64_t blocks = 0;
  uint64_t hops = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    size_t most_blocks = 0;
    size_t most_hops = 0;
    for (size_t t = 0; t < step.size(); ++t) {
      most_blocks = std::max(most_blocks, step.blocks(t).size());
      most_hops = std::max(most_hops, step.arcs(t).size());
    }
    blocks += most_blocks;
    hops += most_hops;
  }
  out.critical_blocks = blocks;
  out.critical_hops = hops;
}

}  // namespace

Preparation prepare_if_wanted(const Problem& problem, uint64_t (*least)(const Problem&),
                              Plan (*make)(const Problem&, uint64_t), bool alike_in_passing) {
  const auto search = [=](const Problem& p, uint64_t steps) {
    return found_once(make, alike_in_passing, p, steps);
  };
  const auto wanted = [least, search](const Problem& p) -> std::optional<Plan> {
    const uint64_t steps = least(p);
    if (!WorthMaking::is_any_of_packets(steps)) return std::nullopt;
    return search(p, steps);
  };
  const auto predicted = [](const Problem& p, const std::optional<Plan>& plan) -> Prediction {
    if (!plan) return {};
    Prediction out{.steps = plan->num_steps(), .start_ups = plan->num_steps(), .measured = true};
    if (p.model().switching == Switching::kWormhole) add_worms(out, *plan);
    return out;
  };
  const auto generate = [least, search](const Problem& p, const std::optional<Plan>& plan, StepSink& sink) {
    plan ? plan->replay(sink) : search(p, least(p)).replay(sink);
  };
  return Preparation::of(sharing(problem, wanted, predicted, generate, Effort::kMuch));
}

}  // namespace quadrille
