// quadrille verify: reads a plan that anyone may have written, and judges it.
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/report/array_report.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/stated_report.h"
#include "quadrille/cli/report/synchronisation_report.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/compile.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/cost_options.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/delta/plan_delta.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/schedule/shared/shared_plan.h"
#include "quadrille/verify/together.h"

namespace quadrille {
namespace verify_parts {
namespace {

constexpr CsvColumn kColumns[] = {{"plan", "plan"},
                                  {"collective", "collective"},
                                  {"network", "topology"},
                                  {"algorithm", "algorithm"},
                                  {"verdict", "verdict"},
                                  {"violations", "total_findings"},
                                  {"rule", "findings/0/rule"},
                                  {"step", "findings/0/step"},
                                  {"finding", "findings/0/message"},
                                  {"false_claim", "false_claims/0"},
                                  {"steps", "steps"},
                                  {"lower_bound", "lower_bound"},
                                  {"optimal", "optimal"},
                                  {"start_ups", "start_ups"},
                                  {"transfers", "transfers"},
                                  {"block_hops", "block_hops"},
                                  {"busiest_link", "busiest_link"},
                                  {"time", "time"},
                                  {"least_time", "lower_bound_time"},
                                  {"time_unit", "time_unit"}};

struct VerifyOptions {
  std::string file{};
  std::string output{};
  size_t max_findings = 20;
  bool queues = false;
  bool slices = false;
  ReportForm form{};
  bool allow_files = false;
  std::string bytes{};
  CostOptions cost{};
  std::string delta{};
  std::vector<std::string> with{};  // plans that run at the same time
};

// The plan in the form that is asked for.
void write(const Compiled& judged, const std::string& path, Console& console) {
  const Plan& plan = judged.schedule->plan();
  if (path == "-") {
    console.out << write_plan({judged.head, plan}, plain_plan_format());
  } else {
    write_plan_file(path, judged.head, plan);
  }
}

// By the constants that are asked for, over those of the file, or of a machine as it mostly is.
void report_times(const VerifyOptions& options, const Compiled& judged, Report& report) {
  if (options.bytes.empty() && !options.cost.any()) return;
  const uint64_t bytes = options.bytes.empty() ? kDefaultMessageBytes : parse_bytes(options.bytes, "--bytes");
  report_time_on(options.cost.constants_of_plan(judged.head.problem.model().cost), judged, bytes, report);
}

// Processes of a crew have it from the first of them.
Compiled judged_file(const VerifyOptions& options, const std::string& path, Console& console) {
  const auto read = [&](PlanListener* listener) {
    const bool as_it_comes = listener != nullptr && path != "-" && options.delta.empty();
    PlanFile file = as_it_comes ? read_plan_argument(path, options.allow_files, *listener)
                                : read_plan_argument(path, options.allow_files, console);
    if (options.delta.empty()) return file;
    return with_delta(file, read_plan_delta(read_file(options.delta), options.delta, file));
  };
  TerminalProgress progress(console);
  const Wishes wishes{.stored = console.crew == nullptr || !options.output.empty() || !options.with.empty() ||
                                options.cost.any(),  // messages and packing are counted of what is kept
                      .queues = options.queues,
                      .arrays = options.slices,
                      .max_findings = options.max_findings,
                      .progress = &progress,
                      .crew = console.crew};
  if (console.crew == nullptr) return judge_plan(read(nullptr), wishes);
  SharedPlan shared(*console.crew, read, graph_files(options.allow_files));
  return judge_plan(shared, wishes);
}

int verify_file(const VerifyOptions& options, Console& console) {
  const bool to_pipe = options.output == "-";
  if (!options.output.empty() && !to_pipe) static_cast<void>(plan_format_of(options.output));
  const Compiled judged = judged_file(options, options.file, console);
  const Problem& problem = judged.head.problem;
  const Verdict verdict = verdict_with_synchronisation(judged);

  Report report;
  report.add_json("plan", options.file);
  report_problem(problem, report);
  if (!judged.head.algorithm.empty()) report.add("algorithm", judged.head.algorithm, judged.head.algorithm);
  if (judged.verdict.passed()) {
    report_figures(judged, report);
    report_queues(problem, verdict.queues, report);
    if (judged.arrays) report_arrays(*judged.arrays, report);
    report_times(options, judged, report);
  }
  report_synchronisation(judged, report);
  report_verdict(problem, verdict, report);
  report_stated(judged.stated, report);
  if (judged.good() && !options.output.empty()) {
    while_waiting(console, "writing the plan", [&] { write(judged, options.output, console); });
    if (!to_pipe) report.add("written", options.output, options.output);
  }

  std::ostream& out = to_pipe ? console.err : console.out;
  report.print(out, options.form);
  if (options.form.for_people()) {
    const std::string remarks = findings_text(verdict) + stated_text(judged.stated);
    if (!remarks.empty()) out << "\n" << remarks;
  }
  return judged.good() ? kExitOk : kExitBadPlan;
}

// Plans of groups that run at the same time: each by itself, then what they share.
int verify_together_with(const VerifyOptions& options, Console& console) {
  if (!options.output.empty() || options.queues || options.slices || !options.bytes.empty() ||
      options.cost.any() || !options.delta.empty() || options.form.csv)
    throw InputError(
        "--with: only whether all is well is said of several plans; -o, --delta, --queues, --slices, --bytes, costs and --csv "
        "are for one");
  std::vector<std::string> files{options.file};
  files.insert(files.end(), options.with.begin(), options.with.end());
  std::vector<Compiled> judged;
  for (const std::string& file : files) {
    judged.push_back(judged_file(options, file, console));
    if (judged.back().good()) continue;
    console.out << fmt::format("{}, by itself:\n{}{}", file,
                               findings_text(verdict_with_synchronisation(judged.back())),
                               stated_text(judged.back().stated));
    return kExitBadPlan;
  }
  std::vector<const Schedule*> schedules;
  for (const Compiled& one : judged) schedules.push_back(&*one.schedule);
  const Verdict verdict = verify_together(schedules, options.max_findings);
  Report report;
  report.add("plans", join(files), static_cast<uint64_t>(files.size()));
  report.add("steps", with_thousands(verdict.figures.steps), verdict.figures.steps);
  report.add("transfers", with_thousands(verdict.figures.transfers), verdict.figures.transfers);
  report.add("verdict",
             verdict.passed()
                 ? std::string("verified: each by itself, and all together on links and ports, no violations")
                 : fmt::format("rejected: {} together", plural(verdict.total_findings, "violation")),
             verdict.passed() ? "passed" : "rejected");
  report.print(console.out, options.form);
  if (options.form.for_people() && !verdict.passed()) console.out << "\n" << findings_text(verdict);
  return verdict.passed() ? kExitOk : kExitBadPlan;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("FILE", options->file, "a plan as text or as JSON; - for standard input")->required();
  app.add_option("-o,--output", options->output,
                 fmt::format("write a good plan again, perhaps in another form: {}, -", plan_names()))
      ->type_name("FILE");
  app.add_option("--max-findings", options->max_findings, "how many findings to print (default 20)")
      ->type_name("N");
  app.add_flag("--queues", options->queues, "measure the longest queues, too");
  add_bytes_option(app, options->bytes);
  add_cost_options(app, options->cost);
  add_slices_option(app, options->slices);
  app.add_option("--delta", options->delta,
                 "the plan as this delta of it makes it: `quadrille transform --without`")
      ->type_name("FILE");
  app.add_option("--with", options->with, "a plan of other ranks that runs at the same time; again for more")
      ->repeated()
      ->type_name("FILE");
  add_allow_files_option(app, options->allow_files);
  constexpr const char* kForms = "print figures and findings as JSON; as CSV, with the first finding";
  app.add_flag("--json", options->form.json, kForms)->group(kForms);
  app.add_flag("--csv", options->form.csv, kForms)->group(kForms);
  options->form.columns = kColumns;
  return [options](Console& console) {
    options->form.require_one();
    return options->with.empty() ? verify_file(*options, console) : verify_together_with(*options, console);
  };
}

}  // namespace
}  // namespace verify_parts

namespace commands {

extern const Command verify;

const Command verify{
    .name = "verify",
    .summary = "judge a plan from a file, whoever wrote it",
    .details =
        "Reads a plan, checks every transfer of it by rules that share nothing with the makers of plans, "
        "and checks what the file states of itself, its synchronisation included. Constants of cost replace "
        "those that the file states, each by itself; a machine, or LogGP, all of them. Exit status: 0 if the "
        "plan is good, 1 if it is not or if it states what is false, 2 if the file makes no sense.",
    .example = R"~($ quadrille verify exchange.json
topology      torus(4,4): 16 nodes, 64 arcs
collective    alltoall: 256 blocks
model         one-port, packet switching, full duplex
algorithm     alltoall_cayley
steps         32 (stated 32)
lower bound   32 by average_status: the blocks need 512 transfers, and all send ports together allow
              16 a step
quality       optimal: no plan takes fewer steps
witness       bound average_status: the plan says 32, and its witness, weights, proves it
start-ups     32 (stated 32)
transfers     512
block hops    512
busiest link  12 blocks (stated 12), first over (0,0) > (0,1)
verdict       verified: 15 rules, no violations
)~",
    .setup = verify_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
