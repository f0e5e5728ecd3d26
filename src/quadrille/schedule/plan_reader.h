// Plan files of any form (plan_format.h): told apart by what they hold when read, by their name when written.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/plan_format.h"

namespace quadrille {

class PlanListener;

/// Reads a text of whichever form it has. Throws InputError like the form's own reader. `files`: whether the
/// plan may name a graph file to be opened (stated_topology.h).
[[nodiscard]] PlanFile read_plan(std::string_view text, std::string_view source,
                                 GraphFiles files = GraphFiles::kRefused);
[[nodiscard]] PlanFile read_plan_file(const std::string& path, GraphFiles files = GraphFiles::kRefused);
/// The same without the file's text in memory, if somebody takes the steps. A file that is cut short or written to meanwhile is an InputError
/// that says so, also where steps have been handed on.
[[nodiscard]] PlanFile read_plan_file(const std::string& path, GraphFiles files, PlanListener& listener);

/// The text of a plan in a form.
[[nodiscard]] std::string write_plan(const PlanFile& file, const PlanFormat& format);

/// Writes a plan to a file, in the form that its name asks for; a file is whole or not there.
void write_plan_file(const std::string& path, const PlanFile& file);
void write_plan_file(const std::string& path, const PlanHead& head, const Plan& plan);

}  // namespace quadrille
