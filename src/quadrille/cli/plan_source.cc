#include "quadrille/cli/plan_source.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/cli/algorithm_option.h"
#include "quadrille/cli/progress.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

PlanSource generate(const PlanSourceOptions& options, Console& console) {
  const Problem problem = options.problem.problem();
  std::vector<Bound> bounds = all_bounds(problem);
  const Choice choice = pick_algorithm(problem, options.algorithm, options.block_bytes, bounds);
  PlanFile file{plan_head(problem, choice, bounds), {}};
  Progress progress(file.plan, console, file.claims.steps);
  choice.generate(problem, progress);
  return {std::move(file), fmt::format("{}: {}", choice.name(), choice.reason), std::move(bounds)};
}

// A plan from a file knows its problem; if one is given, too, it must be the same.
PlanSource read(const PlanSourceOptions& options) {
  PlanFile file = read_plan_file(options.plan);
  const Problem& problem = file.problem;
  if (!options.problem.collective.empty()) {
    const std::string given =
        std::string(name_of(parse_collective_kind(options.problem.collective))) + " on " +
        (options.problem.topology.empty() ? problem.topology().name() : options.problem.topology);
    const bool same_kind = parse_collective_kind(options.problem.collective) == problem.collective().kind();
    const bool same_graph = options.problem.topology.empty() ||
                            parse_topology(options.problem.topology).same_graph(problem.topology());
    if (!same_kind || !same_graph) {
      throw InputError(fmt::format("{} is a plan for {}, not for {}", options.plan, problem.title(), given));
    }
  }
  std::string maker =
      file.algorithm.empty() ? options.plan : fmt::format("{} by {}", options.plan, file.algorithm);
  std::vector<Bound> bounds = all_bounds(file.problem);
  return {std::move(file), std::move(maker), std::move(bounds)};
}

}  // namespace

void add_plan_source(CLI::App& app, PlanSourceOptions& options) {
  add_problem_options(app, options.problem, false);
  add_algorithm_option(app, options.algorithm);
  app.add_option("--plan", options.plan, "take the plan of a file instead of making one")->type_name("FILE");
}

PlanSource make_or_read_plan(const PlanSourceOptions& options, std::string_view verb, Console& console) {
  if (!options.plan.empty()) return read(options);
  if (options.problem.collective.empty() || options.problem.topology.empty()) {
    throw InputError(fmt::format("what to {}? give a COLLECTIVE and a TOPOLOGY, or --plan FILE", verb));
  }
  return generate(options, console);
}

}  // namespace quadrille
