// A plan that a program works on: made for a problem, or read from a file.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "quadrille/compile/compile.h"
#include "quadrille/options/problem_options.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class ArgumentParser;

/// Whether the word names a collective, by any of its names.
[[nodiscard]] bool is_collective(std::string_view word);

struct PlanSourceOptions {
  ProblemOptions problem{};
  std::string algorithm = "auto";
  SearchOptions search{};
  std::string plan{};
  bool allow_files = false;             ///< the plan of a file may name a graph file
  const ArgumentParser* app = nullptr;  ///< knows which options were given; add_plan_source() sets it

  /// `run FILE` is `run --plan FILE`: a single word that is no collective is the plan, if it is a file or -.
  void take_plan_word();
  /// What of it is a wish.
  [[nodiscard]] Wishes wishes() const;
};

/// COLLECTIVE and TOPOLOGY with what belongs to them, or --plan FILE.
void add_plan_source(ArgumentParser& app, PlanSourceOptions& options);

/// Throws InputError where --allow-files was given and the topology of the plan `path` names no graph file: it
/// would be passed over.
void require_files_named(bool allow_files, const Topology& topology, std::string_view path);

/// A problem that a plan is to be made for, or somebody's plan.
using PlanSource = std::variant<Problem, PlanFile>;

/// How a program comes by the plan of a file.
using ReadPlan = std::function<PlanFile(const std::string& path, GraphFiles files)>;

/// Throws InputError when there is neither a problem nor a file ("what to run?"), or when a file is given and
/// an option that differs from what is in it.
[[nodiscard]] PlanSource plan_source(const PlanSourceOptions& options, std::string_view verb,
                                     const ReadPlan& read);
[[nodiscard]] const Problem& problem_of(const PlanSource& source);

/// The plan is made, or taken as it is, and judged.
[[nodiscard]] Compiled compile(PlanSource source, const Wishes& wishes);

/// Who made the plan, and why: "alltoall_ring: predicts 8 steps, ..." or "x.plan by somebody".
[[nodiscard]] std::string maker_of(const PlanSourceOptions& options, const Compiled& compiled);

}  // namespace quadrille
