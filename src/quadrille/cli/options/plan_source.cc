#include "quadrille/cli/options/plan_source.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/cli/options/algorithm_option.h"
#include "quadrille/cli/report/progress.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

PlanSource generate(const PlanSourceOptions& options, Console& console) {
  const Problem problem = options.problem.problem();
  std::vector<Bound> bounds = all_bounds(problem);
  const Choice choice = pick_algorithm(problem, options.algorithm, options.block_bytes, bounds, console);
  PlanFile file{plan_head(problem, choice, bounds), {}};
  Progress progress(file.plan, console, file.claims.steps);
  choice.generate(problem, progress);
  return {std::move(file), fmt::format("{}: {}", choice.name(), choice.reason), std::move(bounds), false};
}

// What an option of the command line sets, as text, so that it can be compared and shown.
struct Setting {
  const char* option;
  std::string (*text)(const Problem&);
};

std::string ports_text(const Problem& problem) {
  const Model& model = problem.model();
  if (model.send == model.receive) return to_text(model.send);
  return fmt::format("{} for sending and {} for receiving", to_text(model.send), to_text(model.receive));
}

std::string root_text(const Problem& problem) {
  const std::optional<Rank> root = problem.collective().root();
  return root ? problem.topology().label(problem.topology().endpoint(*root)) : "none";
}

constexpr std::array kSettings = {
    Setting{"--ports", ports_text},
    Setting{"--send-ports", [](const Problem& p) { return to_text(p.model().send); }},
    Setting{"--receive-ports", [](const Problem& p) { return to_text(p.model().receive); }},
    Setting{"--switching", [](const Problem& p) { return std::string(to_text(p.model().switching)); }},
    Setting{"--duplex", [](const Problem& p) { return std::string(to_text(p.model().duplex)); }},
    Setting{"--routing", [](const Problem& p) { return std::string(to_text(p.model().routing)); }},
    Setting{"--ts", [](const Problem& p) { return fmt::format("{}", p.model().cost.ts); }},
    Setting{"--tx", [](const Problem& p) { return fmt::format("{}", p.model().cost.tx); }},
    Setting{"--tl", [](const Problem& p) { return fmt::format("{}", p.model().cost.tl); }},
    Setting{"--rho", [](const Problem& p) { return fmt::format("{}", p.model().cost.rho); }},
    Setting{"--queues",
            [](const Problem& p) {
              return p.model().queue_limit ? fmt::format("{}", *p.model().queue_limit) : std::string("any");
            }},
    Setting{"--root", root_text},
    Setting{"--pieces", [](const Problem& p) { return fmt::format("{}", p.collective().pieces()); }}};

// A plan from a file knows its model; an option that says something else would be passed over.
void require_same_settings(const PlanSourceOptions& options, const Problem& problem) {
  if (options.app->count("--algorithm") > 0) {
    throw InputError(fmt::format("--algorithm: the plan of {} is there already; leave out --plan to make one",
                                 options.plan));
  }
  ModelOptions model = options.problem.model;
  // What is not given is as in the file, so that the rest is read in its light.
  if (options.app->count("--switching") == 0) model.switching = to_text(problem.model().switching);
  const Problem given =
      make_problem(problem.topology(), problem.collective().kind(), model.model(), options.problem.rest);
  for (const Setting& setting : kSettings) {
    if (options.app->count(setting.option) == 0) continue;
    const std::string ours = setting.text(given);
    const std::string theirs = setting.text(problem);
    const bool only_measures = setting.option == std::string_view("--queues") && ours == "any";
    if (ours != theirs && !only_measures) {
      throw InputError(
          fmt::format("{} is {}, but the plan of {} has {}", setting.option, ours, options.plan, theirs));
    }
  }
}

// A plan from a file knows its problem; if one is given, too, it must be the same.
PlanSource read(const PlanSourceOptions& options) {
  PlanFile file =
      read_plan_file(options.plan, options.allow_files ? GraphFiles::kAllowed : GraphFiles::kRefused);
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
  require_same_settings(options, problem);
  std::string maker =
      file.algorithm.empty() ? options.plan : fmt::format("{} by {}", options.plan, file.algorithm);
  std::vector<Bound> bounds = all_bounds(file.problem);
  return {std::move(file), std::move(maker), std::move(bounds), true};
}

}  // namespace

void add_plan_source(ArgumentParser& app, PlanSourceOptions& options) {
  options.app = &app;
  add_problem_options(app, options.problem, false);
  add_algorithm_option(app, options.algorithm);
  app.add_option("--plan", options.plan, "take the plan of a file instead of making one")->type_name("FILE");
  app.add_flag("--allow-files", options.allow_files, kAllowFilesHelp);
}

PlanSource make_or_read_plan(const PlanSourceOptions& options, std::string_view verb, Console& console) {
  if (!options.plan.empty()) return read(options);
  if (options.allow_files) throw InputError("--allow-files is for the plan of a file: add --plan FILE");
  if (options.problem.collective.empty() || options.problem.topology.empty()) {
    throw InputError(fmt::format("what to {}? give a COLLECTIVE and a TOPOLOGY, or --plan FILE", verb));
  }
  return generate(options, console);
}

StatedCheck check_source(const PlanSource& source, const PlanHead& head, const Figures& figures,
                         Report& report) {
  if (!source.from_file) return {};
  StatedCheck check = check_stated(head, figures);
  report_stated(check, report);
  return check;
}

}  // namespace quadrille
