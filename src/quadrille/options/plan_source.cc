#include "quadrille/options/plan_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/topology/typed_spec.h"

namespace quadrille {
namespace {

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
    Setting{"--packets", [](const Problem& p) { return std::string(to_text(p.model().packets)); }},
    Setting{"--duplex", [](const Problem& p) { return std::string(to_text(p.model().duplex)); }},
    Setting{"--routing", [](const Problem& p) { return std::string(to_text(p.model().routing)); }},
    Setting{"--operator", [](const Problem& p) { return std::string(to_text(p.model().combining)); }},
    Setting{"--chunks", [](const Problem& p) { return std::string(to_text(p.model().chunks)); }},
    Setting{"--ts", [](const Problem& p) { return fmt::format("{}", p.model().cost.ts); }},
    Setting{"--tx", [](const Problem& p) { return fmt::format("{}", p.model().cost.tx); }},
    Setting{"--tl", [](const Problem& p) { return fmt::format("{}", p.model().cost.tl); }},
    Setting{"--rho", [](const Problem& p) { return fmt::format("{}", p.model().cost.rho); }},
    Setting{"--to", [](const Problem& p) { return fmt::format("{}", p.model().cost.to); }},
    Setting{"--loggp",
            [](const Problem& p) {
              CostConstants of_loggp = p.model().cost;
              of_loggp.tl = of_loggp.rho = 0;
              return to_text(of_loggp);
            }},
    Setting{"--machine", [](const Problem& p) { return to_text(p.model().cost); }},
    Setting{"--queues",
            [](const Problem& p) {
              return p.model().queue_limit ? fmt::format("{}", *p.model().queue_limit) : std::string("any");
            }},
    Setting{"--queues-per", [](const Problem& p) { return std::string(to_text(p.model().queues_per)); }},
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
  if (options.app->count("--packets") == 0) model.packets = to_text(problem.model().packets);
  if (options.app->count("--operator") == 0) model.combining = to_text(problem.model().combining);
  if (options.app->count("--chunks") == 0) model.chunks = to_text(problem.model().chunks);
  const Model& stated = problem.model();
  if (options.app->count("--queues") == 0 && stated.queue_limit)
    model.queues = fmt::format("{}", *stated.queue_limit);
  if (options.app->count("--queues-per") == 0 && options.problem.model.queues != "any")
    model.queues_per = to_text(stated.queues_per);
  const bool as_counted = problem.collective().counts() != nullptr && options.problem.rest.counts.empty();
  const CollectiveOptions& said = options.problem.rest;
  if (as_counted && (!said.root.empty() || (said.pieces && *said.pieces != 1))) {
    throw InputError(fmt::format("{}: the alltoallv of {} has neither root nor pieces",
                                 said.root.empty() ? "--pieces" : "--root", options.plan));
  }
  const Model stated_model = model.model(false, problem.topology().link_rates());
  const Problem given = as_counted ? Problem(problem.topology(), problem.collective(), stated_model)
                                   : options.problem.rest.problem(problem.topology(),
                                                                  problem.collective().kind(), stated_model);
  if (!options.problem.rest.counts.empty() && given.collective() != problem.collective()) {
    throw InputError(fmt::format("--counts {}: they are not those of the plan of {}",
                                 options.problem.rest.counts, options.plan));
  }
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
void require_same_problem(const PlanSourceOptions& options, const Problem& problem) {
  if (!options.problem.collective.empty()) {
    const std::string given =
        std::string(name_of(parse_collective_kind(options.problem.collective))) + " on " +
        (options.problem.topology.empty() ? problem.topology().name() : options.problem.network());
    const bool same_kind = parse_collective_kind(options.problem.collective) == problem.collective().kind();
    const bool same_graph = options.problem.topology.empty() ||
                            parse_topology(options.problem.network()).same_graph(problem.topology());
    if (!same_kind || !same_graph) {
      throw InputError(fmt::format("{} is a plan for {}, not for {}", options.plan, problem.title(), given));
    }
  }
  require_same_settings(options, problem);
}

bool is_file(const std::string& word) {
  std::error_code error;
  return word == "-" || std::filesystem::is_regular_file(word, error);
}

}  // namespace

bool is_collective(std::string_view word) {
  try {
    static_cast<void>(parse_collective_kind(word));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void PlanSourceOptions::take_plan_word() {
  if (!plan.empty() || !problem.topology.empty() || problem.collective.empty()) return;
  // A name that only a plan has is one also where no file is there, which is said then.
  const bool is_plan = is_file(problem.collective) || problem.collective.ends_with(".plan");
  if (is_collective(problem.collective) || !is_plan) return;
  if (is_named_as_graph(problem.collective)) return;
  plan = std::exchange(problem.collective, {});
}

Wishes PlanSourceOptions::wishes() const {
  return {.algorithm = algorithm,
          .bytes = problem.message_bytes(),
          .any_pieces = plan.empty() && problem.any_pieces(),
          .any_packets = plan.empty() && problem.any_packets(),
          .gap = search.gap(),
          .effort = search.effort(),
          .queues = problem.model.wants_queues()};
}

void add_plan_source(ArgumentParser& app, PlanSourceOptions& options) {
  options.app = &app;
  add_problem_options(app, options.problem, false);
  add_algorithm_option(app, options.algorithm);
  add_search_options(app, options.search);
  app.add_option("--plan", options.plan, "take the plan of a file (or give FILE alone)")->type_name("FILE");
  add_allow_files_option(app, options.allow_files);
}

void require_files_named(bool allow_files, const Topology& topology, std::string_view path) {
  if (!allow_files || names_a_file(topology)) return;
  throw InputError(
      fmt::format("--allow-files: the plan of {} names no graph file, its topology is {}; leave it out", path,
                  topology.name()));
}

PlanSource plan_source(const PlanSourceOptions& options, std::string_view verb, const ReadPlan& read) {
  if (!options.plan.empty()) {
    PlanFile file = read(options.plan, graph_files(options.allow_files));
    require_files_named(options.allow_files, file.problem.topology(), options.plan);
    require_same_problem(options, file.problem);
    return file;
  }
  if (options.allow_files) throw InputError("--allow-files is for the plan of a file: add --plan FILE");
  if (options.problem.collective.empty() || options.problem.topology.empty()) {
    const std::string& word = options.problem.collective;
    if (options.problem.topology.empty() && is_named_as_graph(word))
      throw InputError(fmt::format(
          "what to {0}? '{1}' is a network; a collective stands before it: quadrille {0} alltoall {1}", verb,
          word));
    if (options.problem.topology.empty() && !word.empty() && !is_collective(word))
      throw InputError(fmt::format(
          "what to {}? '{}' is neither a collective nor a plan that is there; give a COLLECTIVE and a "
          "TOPOLOGY, or a plan's FILE",
          verb, word));
    throw InputError(fmt::format("what to {}? give a COLLECTIVE and a TOPOLOGY, or a plan's FILE", verb));
  }
  return options.problem.problem();
}

const Problem& problem_of(const PlanSource& source) {
  if (const auto* file = std::get_if<PlanFile>(&source)) return file->problem;
  return std::get<Problem>(source);
}

Compiled compile(PlanSource source, const Wishes& wishes) {
  if (auto* file = std::get_if<PlanFile>(&source)) return judge_plan(std::move(*file), wishes);
  return compile(std::get<Problem>(source), wishes);
}

std::string maker_of(const PlanSourceOptions& options, const Compiled& compiled) {
  const std::string& algorithm = compiled.head.algorithm;
  if (options.plan.empty()) return fmt::format("{}: {}", algorithm, compiled.reason);
  return algorithm.empty() ? options.plan : fmt::format("{} by {}", options.plan, algorithm);
}

}  // namespace quadrille
