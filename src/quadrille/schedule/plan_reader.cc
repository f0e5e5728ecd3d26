#include "quadrille/schedule/plan_reader.h"

#include "quadrille/base/files.h"

namespace quadrille {

PlanFile read_plan(std::string_view text, std::string_view source, GraphFiles files) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // some editors mark the order of bytes
  return plan_format_behind(text).read(text, source, files);
}

PlanFile read_plan_file(const std::string& path, GraphFiles files) {
  return read_plan(read_file(path), path, files);
}

std::string write_plan(const PlanFile& file, const PlanFormat& format) {
  std::string out;
  const auto writer = format.writer(file, [&out](std::string_view part) { out += part; });
  file.plan.replay(*writer);
  writer->finish();
  return out;
}

void write_plan_file(const std::string& path, const PlanFile& file) {
  write_plan_file(path, file, file.plan);
}

void write_plan_file(const std::string& path, const PlanHead& head, const Plan& plan) {
  const PlanFormat& format = plan_format_of(path);
  FileWriter out(path);
  const auto writer = format.writer(head, [&out](std::string_view part) { out.write(part); });
  plan.replay(*writer);
  writer->finish();
  out.commit();
}

}  // namespace quadrille
