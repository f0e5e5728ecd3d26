// PlanFormat: a card for each form that a plan file may have.
//
// A form is one file with a constant card named like the form, which reads and writes plans, and one line in
// schedule/plan_formats.inc. Reading by what a file holds, writing by what its name ends in, help and error
// messages come from the cards:
//
//     const PlanFile file = plan_format_behind(text).read(text, "net.json", GraphFiles::kRefused, nullptr);
//     const auto writer = plan_format_of("net.plan").writer(head, output);
//
// plan_reader.h does both for files.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "quadrille/base/catalog.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class PlanListener;

struct PlanFormat {
  std::string_view name{};                         ///< "json"
  std::span<const std::string_view> extensions{};  ///< ".json"; the first is the usual one
  std::string_view readers{};                      ///< whom it is for: "programs"
  bool (*recognises)(std::string_view) =
      nullptr;  ///< by the text, from its first character that is not blank
  /// `source` is how errors call the text. Throws InputError for what is no plan of this form.
  /// `listener`: who takes the steps as they are read; may be null, and a form may store them nevertheless.
  PlanFile (*read)(std::string_view text, std::string_view source, GraphFiles files,
                   PlanListener* listener) = nullptr;
  /// Writes the head at once and each step as it is pushed. Null for a form that is read only.
  std::unique_ptr<PlanWriter> (*writer)(const PlanHead& head, TextOutput output) = nullptr;
};

/// All of them, sorted by name.
[[nodiscard]] const Catalog<PlanFormat>& plan_format_catalog();
/// What people read: the form of pipes, and of a text that no form recognises, whose reader says what it
/// lacks.
[[nodiscard]] const PlanFormat& plain_plan_format();

/// The form of a text.
[[nodiscard]] const PlanFormat& plan_format_behind(std::string_view text);
/// The form that a file's name asks for; a device or a pipe of another name gets the plain one. Throws
/// InputError for any other ending.
[[nodiscard]] const PlanFormat& plan_format_of(std::string_view path);

/// "FILE.plan for people, FILE.json for programs": what the name of a plan file may be, for help texts.
[[nodiscard]] std::string plan_names_and_readers();
/// "FILE.plan, FILE.json".
[[nodiscard]] std::string plan_names();

}  // namespace quadrille
