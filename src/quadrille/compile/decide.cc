// decide() of compile.h: which way of choosing a problem goes.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/bounds/kept/kept_bounds.h"
#include "quadrille/bounds/kept/kept_refutations.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/comparison/library_names.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/decide_as_it_is.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/sizes/decide_by_size.h"
#include "quadrille/compile/sizes/decide_packets.h"
#include "quadrille/compile/sizes/decision_time.h"
#include "quadrille/cost/published_cost.h"

namespace quadrille {
namespace {

// Throws InputError for a name that has a formula, but no plan.
void require_plans(std::string_view asked) {
  const std::string_view name = asked.substr(0, asked.find(':'));
  if (published_costs().find(name) == nullptr) return;
  throw InputError(fmt::format(
      "--algorithm: {} is a published cost, model only: there is no plan of it; `quadrille explain {} --on "
      "TOPOLOGY` says what it promises",
      name, name));
}

// Of blocks that are only counted closed forms alone speak. Whether one does is known in a moment; the bounds of a network of
// a hundred thousand nodes are not.
void require_closed_form(const Problem& problem) {
  if (problem.collective().is_numbered()) return;
  const auto speaks = [&](const Algorithm* card) {
    return card->collective == problem.collective().kind() && card->counts_alone &&
           card->applies(problem).applies;
  };
  const Catalog<Algorithm>& cards = algorithm_catalog();
  if (std::any_of(cards.begin(), cards.end(), speaks)) return;
  const std::optional<std::string> why = not_judged_here(problem);
  throw InputError(why.value_or(problem.title() + ": its blocks are only counted") +
                   "; and no closed form knows such a network");
}

// Of a network in outline only closed forms are asked, each in a moment: pieces are doubled as long as time falls.
Decision decide_in_outline(const Problem& problem, const Wishes& wishes) {
  constexpr uint32_t kMostDoubled = 1U << 24U;
  Decision best = decide_as_it_is(problem, wishes);
  if (!wishes.bytes || !wishes.any_pieces || problem.collective().pieces() != 1) return best;
  std::optional<double> least = time_of_decision(best, *wishes.bytes);
  for (uint32_t pieces = 2; least && pieces <= std::min<uint64_t>(*wishes.bytes, kMostDoubled); pieces *= 2) {
    try {
      Decision split = decide_as_it_is(in_pieces(problem, pieces), wishes);
      const std::optional<double> time = time_of_decision(split, *wishes.bytes);
      if (!time || *time >= *least) break;
      least = time;
      best = std::move(split);
    } catch (const InputError&) {
      break;  // more blocks than can be numbered, or no closed form for pieces
    }
  }
  return best;
}

Decision decide_for_any(const Problem& problem, const Wishes& wishes) {
  if (problem.topology().is_outline()) return decide_in_outline(problem, wishes);
  if (wishes.any_packets && wishes.bytes && sends_single_packets(problem.model())) {
    if (std::optional<Decision> sized = decide_packets(problem, wishes)) {
      if (sends_single_packets(sized->head.problem.model())) {
        const Problem many = with_many_packets(problem);
        sized->least_of_many = least_time(many, *wishes.bytes, all_bounds(many));
      }
      return *std::move(sized);
    }
  }
  if (wishes.bytes && (wishes.any_pieces || wishes.algorithm == "auto")) {
    if (std::optional<Decision> sized = decide_by_size(problem, wishes)) return *std::move(sized);
  }
  return decide_as_it_is(problem, wishes);
}

// A plan that is kept has a witness that takes a search, too, where its bound has no other.
void add_searched_witness(PlanHead& head, const std::vector<Bound>& bounds) {
  if (std::ranges::any_of(head.bounds, [](const PlanBound& bound) { return bound.witness.has_value(); }))
    return;
  const int64_t least = best_of(bounds).value.ceil();
  for (PlanBound& bound : head.bounds) {
    if (bound.name == kRefutationBound && bound.value.ceil() == least)
      bound.witness = refutation_in_a_moment(head.problem);
  }
}

}  // namespace

Decision decide(const Problem& problem, const Wishes& asked) {
  Wishes wishes = asked;
  wishes.algorithm = as_called_here(asked.algorithm, problem.collective().kind());
  require_plans(wishes.algorithm);
  if (wishes.algorithm == "auto") require_closed_form(problem);
  const SearchLimits limits({.gap = wishes.gap, .effort = wishes.effort});
  const KeptBounds kept_bounds;
  const KeptPaths kept_paths;
  const SharedWorms worms;
  Decision out = decide_for_any(problem, wishes);
  if (wishes.stored) add_searched_witness(out.head, out.bounds);
  const Problem& decided = out.head.problem;
  if (!wishes.same_at_all_nodes || decided.topology().num_nodes() <= kNodesJudgedWhole) return out;
  std::optional<Choice> other = as_good_at_all_nodes(decided, *out.choice);
  if (!other) return out;
  other->runner_up = out.runner_up;
  Decision same = decision_for(decided, std::make_shared<const Choice>(*std::move(other)), out.bounds);
  same.least_of_many = std::move(out.least_of_many);
  return same;
}

}  // namespace quadrille
