#include "quadrille/compile/sizes/decide_packets.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/decide_as_it_is.h"
#include "quadrille/compile/lending/by_time/large_loans.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/decide_by_size.h"
#include "quadrille/compile/sizes/decision_time.h"
#include "quadrille/compile/sizes/plain_costs.h"

namespace quadrille {
namespace {

constexpr double kNearTheBound = 0.001;

struct Timed {
  Decision decision;
  double time;
};

// On a large network blocks go their own ways one by one in about the least time where they are large.
bool may_go_one_by_one(const Problem& problem, const Wishes& wishes) {
  return wishes.algorithm == "auto" && is_large_for_sizes(problem) &&
         problem.collective().flow() == Flow::kMove;
}

// What single packets take, if that may be enough.
std::optional<Timed> single_packets(const Problem& problem, double enough, const Wishes& wishes) {
  if (least_time_as_it_is(problem, *wishes.bytes) > enough) return std::nullopt;
  Decision single = decide_as_it_is(problem, wishes);
  const std::optional<double> time = time_of_plan(single, *wishes.bytes);
  return time ? std::optional(Timed{std::move(single), *time}) : std::nullopt;
}

constexpr std::string_view kLent = "packet(";

// What a plan that single packets lend is called by itself.
std::string without_loan(const std::string& algorithm) {
  return algorithm.starts_with(kLent) ? algorithm.substr(kLent.size(), algorithm.size() - kLent.size() - 1)
                                      : algorithm;
}

// The plan of a card that serves single packets, too, none of whose steps has more than one for a link: it need not be looked for
// again, which on a large network may take as long as all before. A short stream is, soon, by a search that may find a step less.
std::optional<Decision> as_single_packets(const Decision& many, const Problem& single) {
  constexpr uint64_t kSoonFound = uint64_t{1} << 16U;
  const Collective& collective = single.collective();
  if (collective.block_count() * (collective.flow() == Flow::kMove ? 1 : collective.num_ranks()) < kSoonFound)
    return std::nullopt;
  const Choice& found = *many.choice;
  const Algorithm& card = *found.algorithm;
  Choice out = handed_to(single, found);
  out.made_of.clear();
  if (out.name() != without_loan(many.head.algorithm) || !card.applies(single).applies) return std::nullopt;
  return decision_for(single, std::make_shared<const Choice>(std::move(out)), all_bounds(single));
}

}  // namespace

// A plan for single packets is one for many, too. So the best for many is looked for; where no step of it carries more
// than one packet over a link, it is said to be what it is.
std::optional<Decision> decide_packets(const Problem& problem, const Wishes& wanted) {
  Wishes wishes = wanted;
  wishes.any_packets = false;
  wishes.same_at_all_nodes = false;  // decide() sees to that
  const Problem of_many = with_many_packets(problem);
  std::optional<Timed> one_by_one;
  if (may_go_one_by_one(problem, wishes)) {
    const double least = least_time(of_many, *wishes.bytes, all_bounds(of_many)).time;
    // What is scattered or gathered by many packets is known in a moment, an exchange is not.
    const bool takes_long = problem.collective().kind() == CollectiveKind::kAlltoall;
    const double enough = least * (1 + (takes_long ? kHardlyFaster : kNearTheBound));
    one_by_one = single_packets(problem, enough, wishes);
    if (one_by_one && one_by_one->time <= enough) return std::move(one_by_one->decision);
  }
  std::optional<Decision> many =
      one_by_one ? decide_by_size(of_many, wishes, one_by_one->time) : decide_by_size(of_many, wishes);
  if (!many) return one_by_one ? std::optional(std::move(one_by_one->decision)) : std::nullopt;
  const StatedFigures& figures = many->head.stated_figures;
  const std::optional<double> time = time_of_decision(*many, *wishes.bytes);
  if (one_by_one && (!time || one_by_one->time <= *time * (1 + 1e-9))) return std::move(one_by_one->decision);
  // On a large network not all that single packets have was asked.
  if (time && !one_by_one && wishes.algorithm == "auto" && is_large_for_sizes(problem) &&
      *time > least_time_as_it_is(problem, *wishes.bytes) * (1 + kHardlyFaster)) {
    Decision single = decide_as_it_is(problem, wishes);
    const std::optional<double> same = time_of_plan(single, *wishes.bytes);
    if (same && *same < *time * (1 - 1e-9)) return single;
  }
  if (!time || figures.start_ups.value_or(figures.steps.value_or(0)) != figures.critical_blocks) return many;
  const auto as_fast = [&](const Decision& single) {
    const std::optional<double> same = time_of_decision(single, *wishes.bytes);
    return same && *same <= *time * (1 + 1e-9);
  };
  try {
    const uint32_t pieces = many->head.problem.collective().pieces();
    const Problem split = pieces == problem.collective().pieces() ? problem : in_pieces(problem, pieces);
    std::optional<Decision> found;
    if (is_large_for_sizes(problem)) found = as_single_packets(*many, split);
    Wishes chosen = wishes;
    chosen.any_pieces = false;
    chosen.algorithm = without_loan(many->head.algorithm);
    Decision single = found ? *std::move(found) : decide(split, chosen);
    single.reason = many->reason;
    single.runner_up = many->runner_up;
    if (as_fast(single)) return single;
  } catch (const InputError&) {
    // It is for many packets alone; another may be as fast.
  }
  // Of a large network that is as good an answer, and to look for another takes as long again.
  if (is_large_for_sizes(problem)) return many;
  std::optional<Decision> single = decide_by_size(problem, wishes);
  return single && as_fast(*single) ? single : many;
}

}  // namespace quadrille
