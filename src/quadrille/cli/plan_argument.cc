#include "quadrille/cli/plan_argument.h"

#include "quadrille/base/files.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/plan_reader.h"

namespace quadrille {
namespace {

PlanFile read(const std::string& path, GraphFiles files, Console& console) {
  if (path != "-") return read_plan_file(path, files);
  return read_plan(read_stream(console.in, "standard input"), "stdin", files);
}

}  // namespace

PlanFile read_plan_argument(const std::string& path, bool allow_files, Console& console) {
  PlanFile file = while_waiting(console, "reading the plan",
                                [&] { return read(path, graph_files(allow_files), console); });
  require_files_named(allow_files, file.problem.topology(), path);
  return file;
}

PlanFile read_plan_argument(const std::string& path, bool allow_files, PlanListener& listener) {
  PlanFile file = read_plan_file(path, graph_files(allow_files), listener);
  require_files_named(allow_files, file.problem.topology(), path);
  return file;
}

PlanSource plan_source(const PlanSourceOptions& options, std::string_view verb, Console& console) {
  const std::string what = options.plan.empty() ? "building the network" : "reading the plan";
  PlanSource out = while_waiting(console, what, [&] {
    return plan_source(options, verb, [&console](const std::string& path, GraphFiles files) {
      return read(path, files, console);
    });
  });
  if (options.plan.empty()) say_remarks(problem_of(out).topology(), console);
  return out;
}

}  // namespace quadrille
