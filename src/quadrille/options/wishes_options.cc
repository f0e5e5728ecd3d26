#include "quadrille/options/wishes_options.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/value_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace {

constexpr double kMostGap = 1000;  // per cent
constexpr double kLeastEffort = 0.001;
constexpr double kMostEffort = 1000;

double parse_gap(std::string_view text, std::string_view name) {
  const bool in_per_cent = text.ends_with('%');
  const std::optional<double> value = cost_of(text.substr(0, text.size() - (in_per_cent ? 1 : 0)));
  if (in_per_cent && value && *value <= kMostGap) return *value / 100;
  throw ValueError(
      fmt::format("{} is '{}'; write a part of the bound, such as 3%, at most {}%", name, text, kMostGap),
      {.of = std::string(name), .given = std::string(text), .allowed = {fmt::format("0% to {}%", kMostGap)}});
}

double parse_effort(std::string_view text, std::string_view name) {
  const std::optional<double> value = cost_of(text);
  if (value && *value >= kLeastEffort && *value <= kMostEffort) return *value;
  throw ValueError(fmt::format("{} is '{}'; allowed are numbers from {} to {}: so many times the usual work",
                               name, text, kLeastEffort, kMostEffort),
                   {.of = std::string(name),
                    .given = std::string(text),
                    .allowed = {fmt::format("{} to {}", kLeastEffort, kMostEffort)}});
}

}  // namespace

double SearchOptions::gap() const { return parse_gap(gap_text, "--gap"); }
double SearchOptions::effort() const { return parse_effort(effort_text, "--effort"); }

void add_search_options(ArgumentParser& app, SearchOptions& options) {
  const char* const both = "end searches so near the bound (3%); do N times the usual work";
  app.add_option("--gap", options.gap_text, both)
      ->type_name("N")
      ->checked_by(
          [](std::string_view value, std::string_view name) { static_cast<void>(parse_gap(value, name)); })
      ->group(both);
  app.add_option("--effort", options.effort_text, both)
      ->type_name("N")
      ->checked_by(
          [](std::string_view value, std::string_view name) { static_cast<void>(parse_effort(value, name)); })
      ->group(both);
}

void add_algorithm_option(ArgumentParser& app, std::string& name) {
  app.add_option("--algorithm", name, "auto (default): fewest steps, or least time; NAME, or NAME:MEMBER")
      ->type_name("NAME")
      ->offers("auto @algorithms");
}

void add_allow_files_option(ArgumentParser& app, bool& allow) {
  app.add_flag("--allow-files", allow, "let the plan name a graph file, file(\"net.gml\"), to be opened");
}

void add_bytes_option(ArgumentParser& app, std::string& bytes) {
  app.add_option("--bytes", bytes,
                 fmt::format("size of a block, or of the vector, such as 64K or 1MiB (default {})",
                             kDefaultMessageBytes))
      ->type_name("B")
      ->checked_by(
          [](std::string_view value, std::string_view name) { static_cast<void>(parse_bytes(value, name)); });
}

void add_machine_option(ArgumentParser& app, std::string& name) {
  app.add_option("--machine", name, "constants of a machine: `quadrille list machines`")
      ->type_name("NAME")
      ->offers("@machines")
      ->checked_by([](std::string_view value, std::string_view) { static_cast<void>(find_machine(value)); });
}

void add_slices_option(ArgumentParser& app, bool& slices) {
  app.add_flag("--slices", slices, "lay blocks out so that transfers are slices; count what is rearranged");
}

}  // namespace quadrille
