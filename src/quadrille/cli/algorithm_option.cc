#include "quadrille/cli/algorithm_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/table.h"
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

// What the member claims.
Claim require_member(const Algorithm& card, const Problem& problem, std::string_view member) {
  if (card.members == nullptr)
    throw InputError(fmt::format("--algorithm: {} is no family; leave out ':{}'", card.name, member));
  const std::vector<Member> members = card.members(problem);
  std::vector<std::string_view> names;
  for (const Member& m : members) {
    if (m.name == member) return m.claim;
    names.push_back(m.name);
  }
  const std::string_view near = nearest_name(member, names);
  throw InputError(fmt::format("--algorithm: {} on {} has no member '{}'; {}there are: {}", card.name,
                               problem.topology().name(), member,
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), join(names)));
}

}  // namespace

void add_algorithm_option(CLI::App& app, std::string& name) {
  app.add_option("--algorithm", name,
                 "auto (default): the fewest claimed steps, or, of worms, the least time; a name of "
                 "`quadrille list algorithms`; or NAME:MEMBER of a family (`plan --frontier` names them)")
      ->type_name("NAME");
}

Choice pick_algorithm(const Problem& problem, const std::string& asked, uint64_t block_bytes) {
  if (asked == "auto") return choose_algorithm(problem, block_bytes);
  const size_t colon = asked.find(':');
  const std::string name = asked.substr(0, colon);
  const Algorithm* card = find_algorithm(name);
  if (card == nullptr) throw no_such_algorithm(problem, name);
  if (card->collective != problem.collective().kind()) {
    throw InputError(fmt::format("--algorithm: {} is for {}, not for {}", name, name_of(card->collective),
                                 problem.collective().name()));
  }
  require_serves(*card, problem);
  if (colon != std::string::npos) {
    const std::string member = asked.substr(colon + 1);
    return {card, "asked for", require_member(*card, problem, member), member};
  }
  if (card->members == nullptr) return {card, "asked for", card->claimed(problem)};
  const std::vector<Member> members = card->members(problem);
  const Member& best = cheapest(members, problem, block_bytes);
  return {card, fmt::format("asked for; {} of {}", best.name, plural(members.size(), "member")), best.claim,
          best.name};
}

PlanHead plan_head(const Problem& problem, const Choice& choice) {
  const Claim& claim = choice.claim;
  PlanHead head{
      problem, choice.name(), {claim.steps, claim.start_ups, claim.busiest_link, claim.critical_blocks}, {}};
  for (const Bound& bound : all_bounds(problem, BoundOn::kSteps))
    head.bounds.push_back({std::string(bound.name), bound.value});
  return head;
}

}  // namespace quadrille
