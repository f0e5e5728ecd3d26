// A plan that a command works on: made for a problem, or read from a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/cli/console.h"
#include "quadrille/cli/options/problem_options.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/stated_claims.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille {

class ArgumentParser;

inline constexpr const char* kAllowFilesHelp =
    "let the plan name a graph file, file(\"net.gml\"), to be opened";

struct PlanSourceOptions {
  ProblemOptions problem{};
  std::string algorithm = "auto";
  std::string plan{};
  bool allow_files = false;             ///< the plan of a file may name a graph file
  uint64_t block_bytes = 1;             ///< for what auto picks; not an option of its own
  const ArgumentParser* app = nullptr;  ///< knows which options were given; add_plan_source() sets it
};

/// COLLECTIVE and TOPOLOGY with what belongs to them, or --plan FILE.
void add_plan_source(ArgumentParser& app, PlanSourceOptions& options);

struct PlanSource {
  PlanFile file;
  std::string reason;         ///< who made it and why
  std::vector<Bound> bounds;  ///< of the problem
  bool from_file = false;
};

/// Throws InputError when there is neither a problem nor a file ("what to run?"), or when a file is given and
/// an option that differs from what is in it.
[[nodiscard]] PlanSource make_or_read_plan(const PlanSourceOptions& options, std::string_view verb,
                                           Console& console);

/// What a file states that is false, or cannot be checked, and how many there are in the report; nothing for
/// a plan that was made here. For a plan that passed; `head` is that of the source.
[[nodiscard]] StatedCheck check_source(const PlanSource& source, const PlanHead& head, const Figures& figures,
                                       Report& report);

}  // namespace quadrille
