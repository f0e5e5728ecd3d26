#include "quadrille/schedule/plan_reader.h"

#include <fmt/format.h>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_text.h"

namespace quadrille {

PlanFile read_plan(std::string_view text, std::string_view source, GraphFiles files) {
  std::string_view start = text;
  if (start.starts_with("\xef\xbb\xbf")) start.remove_prefix(3);
  const size_t first = start.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && start[first] == '{';
  return json ? read_plan_json(text, source, files) : read_plan_text(text, source, files);
}

PlanFile read_plan_file(const std::string& path, GraphFiles files) {
  return read_plan(read_file(path), path, files);
}

PlanForm plan_form_of(std::string_view path) {
  if (path.ends_with(".json")) return PlanForm::kJson;
  if (path.ends_with(".plan") || is_special_file(std::string(path))) return PlanForm::kText;
  throw InputError(fmt::format(
      "cannot tell from the name '{}' how to write the plan: it must end in .plan (text) or .json", path));
}

std::string write_plan(const PlanFile& file, PlanForm form) {
  return form == PlanForm::kJson ? write_plan_json(file) : write_plan_text(file);
}

std::unique_ptr<PlanWriter> plan_writer(const PlanHead& head, PlanForm form, TextOutput output) {
  return form == PlanForm::kJson ? json_plan_writer(head, std::move(output))
                                 : text_plan_writer(head, std::move(output));
}

void write_plan_file(const std::string& path, const PlanFile& file) {
  write_plan_file(path, file, file.plan);
}

void write_plan_file(const std::string& path, const PlanHead& head, const Plan& plan) {
  const PlanForm form = plan_form_of(path);
  FileWriter out(path);
  const auto writer = plan_writer(head, form, [&out](std::string_view part) { out.write(part); });
  plan.replay(*writer);
  writer->finish();
  out.commit();
}

}  // namespace quadrille
