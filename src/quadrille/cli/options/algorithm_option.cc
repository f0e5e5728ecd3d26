#include "quadrille/cli/options/algorithm_option.h"

#include <fmt/format.h>

#include <string_view>

#include "quadrille/base/input_error.h"
#include "quadrille/cli/rearrangement.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/options/argument_parser.h"

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

}  // namespace

void add_algorithm_option(ArgumentParser& app, std::string& name) {
  app.add_option("--algorithm", name,
                 "auto (default): fewest claimed steps or, of worms, least time; a name of `quadrille list "
                 "algorithms`; NAME:MEMBER of a family (`plan --frontier` names them)")
      ->type_name("NAME");
}

Choice pick_algorithm(const Problem& problem, const std::string& asked, uint64_t block_bytes,
                      std::span<const Bound> bounds, Console& console) {
  require_plans(asked);
  const Waiting waiting(console, "choosing an algorithm");
  return pick_algorithm(problem, asked, block_bytes, static_cast<uint64_t>(best_of(bounds).value.ceil()),
                        [&](const Choice& choice) { return measured_rearrangement(problem, choice); });
}

PlanHead plan_head(const Problem& problem, const Choice& choice, std::span<const Bound> bounds) {
  const Claim& claim = choice.claim;
  PlanHead head{
      problem, choice.name(), {claim.steps, claim.start_ups, claim.busiest_link, claim.critical_blocks}, {}};
  for (const Bound& bound : bounds) {
    if (bound.on == BoundOn::kSteps) head.bounds.push_back({std::string(bound.name), bound.value});
  }
  return head;
}

}  // namespace quadrille
