// Plan files of either form: told apart by what they hold when read, by their name when written.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

enum class PlanForm : uint8_t { kText, kJson };

/// JSON if the first character that is not blank is '{', else the text form. Throws InputError like the
/// form's own reader. `files`: whether the plan may name a graph file to be opened (stated_topology.h).
[[nodiscard]] PlanFile read_plan(std::string_view text, std::string_view source,
                                 GraphFiles files = GraphFiles::kRefused);
[[nodiscard]] PlanFile read_plan_file(const std::string& path, GraphFiles files = GraphFiles::kRefused);

/// The form that a file's name asks for: .json or .plan; a device or a pipe of another name gets text. Throws
/// InputError for any other ending.
[[nodiscard]] PlanForm plan_form_of(std::string_view path);

/// The text of a plan in a form.
[[nodiscard]] std::string write_plan(const PlanFile& file, PlanForm form);
/// The same as steps come: the plan is never stored.
[[nodiscard]] std::unique_ptr<PlanWriter> plan_writer(const PlanHead& head, PlanForm form, TextOutput output);

/// Writes a plan to a file, in the form that its name asks for; a file is whole or not there.
void write_plan_file(const std::string& path, const PlanFile& file);
void write_plan_file(const std::string& path, const PlanHead& head, const Plan& plan);

}  // namespace quadrille
