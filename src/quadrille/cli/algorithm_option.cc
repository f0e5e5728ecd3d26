#include "quadrille/cli/algorithm_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cost/published_cost.h"

namespace quadrille {
namespace {

InputError no_such_algorithm(const Problem& problem, std::string_view name) {
  if (find_published_cost(name) != nullptr) {
    return InputError(fmt::format(
        "--algorithm: {} is a published cost, model only: there is no plan of it; `quadrille explain {} --on "
        "TOPOLOGY` says what it promises",
        name, name));
  }
  std::vector<std::string_view> all;
  std::vector<std::string_view> fitting;
  for (const Algorithm* card : algorithm_catalog()) {
    all.push_back(card->name);
    if (card->collective == problem.collective().kind()) fitting.push_back(card->name);
  }
  const std::string_view near = nearest_name(name, all);
  const std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
  return InputError(fmt::format("--algorithm: no algorithm is called '{}'; {}those for {}: {}", name, hint,
                                problem.collective().name(), fitting.empty() ? "none" : join(fitting)));
}

}  // namespace

void add_algorithm_option(CLI::App& app, std::string& name) {
  app.add_option("--algorithm", name,
                 "auto (default): the fewest claimed steps; or a name of `quadrille list algorithms`")
      ->type_name("NAME");
}

Choice pick_algorithm(const Problem& problem, const std::string& name) {
  if (name == "auto") return choose_algorithm(problem);
  const Algorithm* card = find_algorithm(name);
  if (card == nullptr) throw no_such_algorithm(problem, name);
  if (card->collective != problem.collective().kind()) {
    throw InputError(fmt::format("--algorithm: {} is for {}, not for {}", name, name_of(card->collective),
                                 problem.collective().name()));
  }
  require_serves(*card, problem);
  return {card, "asked for", card->claimed(problem)};
}

PlanHead plan_head(const Problem& problem, const Choice& choice) {
  const Claim& claim = choice.claim;
  PlanHead head{problem,
                std::string(choice.algorithm->name),
                {claim.steps, claim.start_ups, claim.busiest_link, claim.critical_blocks},
                {}};
  for (const Bound& bound : all_bounds(problem, BoundOn::kSteps))
    head.bounds.push_back({std::string(bound.name), bound.value});
  return head;
}

}  // namespace quadrille
