#include "quadrille/compile/lending/by_time/large_loans.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {
namespace {

// Vectors are streamed, and better in many pieces.
bool sends_blocks(CollectiveKind kind) {
  return kind == CollectiveKind::kAllgather || kind == CollectiveKind::kReduceScatter ||
         kind == CollectiveKind::kScatter || kind == CollectiveKind::kGather;
}

}  // namespace

std::optional<Choice> packets_by_time(const Problem& problem, uint64_t message_bytes, double known) {
  if (!sends_blocks(problem.collective().kind()) || problem.model().queue_limit) return std::nullopt;
  const std::optional<Loan> loan = find_loan(problem, "packet");
  if (!loan) return std::nullopt;
  const Problem& packets = loan->lenders[0];
  const uint64_t bytes = chunk_bytes(problem, message_bytes);
  const auto least = static_cast<uint64_t>(best_bound(packets).value.ceil());
  const CostConstants& cost = problem.model().cost;
  if (static_cast<double>(least) * (cost.ts + static_cast<double>(bytes) * cost.tx) >= known)
    return std::nullopt;
  try {
    const SharedFactorExchanges shared;
    Choice lent = lend(problem, *loan, {choose_algorithm(packets, bytes, least)}, {bytes, true});
    if (time_for(lent, message_bytes) >= known) return std::nullopt;
    lent.reason =
        fmt::format("predicts {}, each a start-up and a round", plural(*lent.prediction.steps, "step"));
    return lent;
  } catch (const InputError&) {
    return std::nullopt;  // nothing serves single packets
  }
}

double least_time_as_it_is(const Problem& problem, uint64_t message_bytes) {
  const TimeBound least = least_time(problem, message_bytes, all_bounds(problem));
  const auto start_ups = static_cast<double>(least.start_ups);
  const double rounds = std::max(start_ups, least.rounds.to_double() * problem.collective().pieces());
  const CostConstants& cost = problem.model().cost;
  const auto bytes = static_cast<double>(chunk_bytes(problem, message_bytes));
  return std::max(least.time, start_ups * cost.ts + rounds * bytes * cost.tx);
}

}  // namespace quadrille
