#include "quadrille/compile/lending/by_time/timed_lending.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/by_time/timed_search.h"
#include "quadrille/compile/lending/lend_in_order.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/lending/named_loan.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/next_in_words.h"

namespace quadrille {
namespace {

// Nodes up to which everything is asked for each size.
constexpr uint32_t kTimedNodes = 128;

}  // namespace

struct TimedLending::Searches {
  // On a network of a family that came without its name: there.
  struct Named {
    Loan loan;
    std::unique_ptr<TimedSearch> search;
  };

  explicit Searches(const Problem& asked, unsigned threads) : problem(asked), here(asked, threads) {
    for (Loan& loan : loans_by_name(problem)) {
      auto search = std::make_unique<TimedSearch>(loan.lenders[0], threads);
      named.push_back({std::move(loan), std::move(search)});
    }
  }

  std::optional<Choice> best_by_name(uint64_t bytes, double least, double than, uint32_t pieces) {
    std::optional<Choice> best;
    for (const Named& known : named) {
      // What one name is good for, another need not find again.
      const double limit = best ? std::min(than, time_for(*best, bytes)) : than;
      const std::optional<Choice> there =
          known.search->best(known.loan.lenders[0], bytes, least, limit, than != kNever, pieces);
      if (!there) continue;
      const Problem ours = in_pieces(problem, there->plan->problem().collective().pieces());
      for (const Loan& same : loans_by_name(ours)) {
        if (same.name != known.loan.name) continue;
        Choice lent = lend(ours, same, {*there}, {chunk_bytes(ours, bytes), true});
        if (!best || is_faster(lent, *best, bytes)) best = std::move(lent);
        break;
      }
    }
    return best;
  }

  bool name_settles() const {
    return std::any_of(named.begin(), named.end(), [](const Named& known) { return known.loan.settles; });
  }

  Problem problem;
  TimedSearch here;
  std::vector<Named> named{};
};

bool is_chosen_by_time(const Problem& problem) {
  return problem.topology().num_nodes() <= kTimedNodes && is_chosen_by_time_but_for_size(problem);
}

bool is_chosen_by_time_but_for_size(const Problem& problem) {
  return problem.collective().is_numbered() && !problem.model().queue_limit && !asks_for_order(problem) &&
         !rearranging_costs(problem) && !hops_cost(problem) && !messages_cost(problem);
}

TimedLending::TimedLending(const Problem& problem, unsigned threads)
    : searches_(std::make_unique<Searches>(problem, threads)) {}
TimedLending::~TimedLending() = default;

std::optional<Choice> TimedLending::best_for(uint64_t message_bytes, double least, double limit,
                                             uint32_t pieces) {
  const Problem& problem = searches_->problem;
  std::optional<Choice> named = searches_->best_by_name(message_bytes, least, limit, pieces);
  if (named) {
    named->reason = fmt::format("predicts {}", figures_in_words(*named));
    if (searches_->name_settles() || time_for(*named, message_bytes) <= least) return named;
  }
  std::optional<Choice> best =
      searches_->here.best(problem, message_bytes, least, limit, limit != kNever, pieces);
  if (named && (!best || !is_faster(*best, *named, message_bytes))) return named;
  if (!best) return best;
  const std::vector<Choice>& asked = searches_->here.asked();
  const bool lent = !best->made_of.empty();
  best->reason = fmt::format("predicts {}, the fastest of {} that apply", figures_in_words(*best),
                             asked.size() + (lent ? 1 : 0));
  const size_t next = lent ? 0 : 1;
  if (next >= asked.size()) return best;
  const double ratio = time_for(asked[next], message_bytes) / time_for(*best, message_bytes);
  best->reason += "; " + next_in_words(asked[next].name(), ratio);
  const Prediction& p = asked[next].prediction;
  best->runner_up =
      RunnerUp{asked[next].name(), {.start_ups = p.start_ups, .critical_blocks = p.critical_blocks}};
  return best;
}

std::optional<Choice> choose_by_time(const Problem& problem, uint64_t message_bytes, double least,
                                     unsigned threads, uint32_t pieces) {
  return TimedLending(problem, threads).best_for(message_bytes, least, kNever, pieces);
}

std::optional<Choice> pick_loan_by_time(const Problem& problem, std::string_view name,
                                        uint64_t message_bytes) {
  std::optional<Choice> best;
  const auto try_count = [&](uint64_t pieces) {
    if (pieces > std::max<uint64_t>(1, message_bytes)) return false;
    try {
      const Problem ours = in_pieces(problem, static_cast<uint32_t>(pieces));
      Choice choice = pick_loan(ours, name, {chunk_bytes(ours, message_bytes), true});
      if (best && !is_faster(choice, *best, message_bytes)) return false;
      best = std::move(choice);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  constexpr uint64_t kMost = 4096;
  const uint32_t ranks = problem.collective().num_ranks();
  for (const uint64_t unit : {uint64_t{1}, uint64_t{3}, uint64_t{ranks}}) {
    uint32_t in_vain = 0;
    for (uint64_t pieces = unit; pieces <= kMost && in_vain < 3; pieces *= 2)
      in_vain = try_count(pieces) ? 0 : in_vain + 1;
  }
  if (best) best->reason = fmt::format("asked for; predicts {}", figures_in_words(*best));
  return best;
}

}  // namespace quadrille
