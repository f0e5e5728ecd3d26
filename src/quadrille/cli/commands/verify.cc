// quadrille verify: reads a plan that anyone may have written, and judges it.
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/text.h"
#include "quadrille/base/whole_number.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/options/plan_source.h"
#include "quadrille/cli/report/array_report.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/progress.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/stated_claims.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/program/check_synchronisation.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

struct VerifyOptions {
  std::string file{};
  std::string output{};
  size_t max_findings = 20;
  bool queues = false;
  bool slices = false;
  bool json = false;
  bool allow_files = false;
};

PlanFile read(const VerifyOptions& options, Console& console) {
  const GraphFiles files = options.allow_files ? GraphFiles::kAllowed : GraphFiles::kRefused;
  if (options.file != "-") return read_plan_file(options.file, files);
  return read_plan(read_stream(console.in, "standard input"), "stdin", files);
}

// The plan in the form that is asked for.
void write(const PlanFile& file, const std::string& path, Console& console) {
  if (path == "-") {
    console.out << write_plan(file, plain_plan_format());
  } else {
    write_plan_file(path, file);
  }
}

// Adds to the verdict what the stated synchronisation lacks.
void judge_synchronisation(const PlanFile& file, size_t max_findings, Verdict& verdict, Report& report) {
  if (!file.synchronisation || !verdict.passed()) return;
  const PlanSynchronisation& stated = *file.synchronisation;
  const Verification judged = quadrille::verify(file.problem, file.plan);
  SynchronisationCheck check = check_synchronisation(*judged.schedule, stated, {max_findings});
  std::vector<std::string> parts;
  if (!stated.barriers.empty()) parts.push_back(plural(stated.barriers.size(), "barrier"));
  if (!stated.signals.empty()) parts.push_back(plural(stated.signals.size(), "signal"));
  std::string text =
      fmt::format("{}: {} for {}", parts.empty() ? "by nothing" : join(parts, " and "),
                  check.passed() ? "enough" : "not enough", plural(check.conflicts, "conflict"));
  if (check.states) text += fmt::format("; played in every order, {}", plural(*check.states, "state"));
  report.add("synchronised", text, check.passed());
  report.add_json("conflicts", check.conflicts);
  report.add_json("interleaving_states", check.states ? Json(*check.states) : Json());
  verdict.findings = std::move(check.findings);
  verdict.total_findings = check.total_findings;
}

int verify_file(const VerifyOptions& options, Console& console) {
  const bool to_pipe = options.output == "-";
  if (!options.output.empty() && !to_pipe) static_cast<void>(plan_format_of(options.output));
  const PlanFile file = read(options, console);
  Judge judge(file.problem, {.max_findings = options.max_findings, .queues = options.queues});
  {
    Progress progress(judge, console, file.plan.num_steps());
    file.plan.replay(progress);
  }
  Verdict verdict = judge.finish();

  Report report;
  report_problem(file.problem, report);
  if (!file.algorithm.empty()) report.add("algorithm", file.algorithm, file.algorithm);
  StatedCheck stated;
  if (verdict.passed()) {
    report_figures(file.problem, file.claims, all_bounds(file.problem), verdict.figures, report);
    stated = check_stated(file, verdict.figures);
    report_queues(file.problem, verdict.queues, report);
    if (options.slices) report_arrays(*verify(file.problem, file.plan).schedule, report);
  }
  judge_synchronisation(file, options.max_findings, verdict, report);
  report_verdict(file.problem, verdict, report);
  report_stated(stated, report);
  const bool good = verdict.passed() && stated.falsehoods.empty();
  if (good && !options.output.empty()) {
    write(file, options.output, console);
    if (!to_pipe) report.add("written", options.output, options.output);
  }

  std::ostream& out = to_pipe ? console.err : console.out;
  report.print(out, options.json);
  if (!options.json) {
    const std::string remarks = findings_text(verdict) + stated_text(stated);
    if (!remarks.empty()) out << "\n" << remarks;
  }
  return good ? kExitOk : kExitBadPlan;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("FILE", options->file, "a plan as text or as JSON; - for standard input")->required();
  app.add_option("-o,--output", options->output,
                 fmt::format("write a good plan again, in another form perhaps: {}, or -", plan_names()))
      ->type_name("FILE");
  app.add_option("--max-findings", options->max_findings, "how many findings to print (default 20)")
      ->check(whole_number_error)
      ->type_name("N");
  app.add_flag("--queues", options->queues, "measure the longest queues, too");
  app.add_flag("--slices", options->slices, kSlicesHelp);
  app.add_flag("--allow-files", options->allow_files, kAllowFilesHelp);
  app.add_flag("--json", options->json, "print figures and findings as JSON");
  return [options](Console& console) { return verify_file(*options, console); };
}

}  // namespace

namespace commands {

extern const Command verify;

const Command verify{
    .name = "verify",
    .summary = "judge a plan from a file, whoever wrote it",
    .details =
        "Reads a plan, checks every transfer of it by rules that share nothing with the makers of plans, "
        "and checks what the file claims of itself, its synchronisation included. Exit status: 0 if the "
        "plan is good, 1 if it is not or if it claims what is false, 2 if the file makes no sense.",
    .example = R"~($ quadrille verify exchange.json
topology      torus(4,4): 16 nodes, 64 arcs
collective    alltoall: 256 blocks
model         1 send port, 1 receive port, packet switching, full duplex
algorithm     alltoall_cayley
steps         32 (claimed 32)
lower bound   32 by average_status: the blocks need 512 transfers, and all send ports together allow
              16 a step
quality       optimal: no plan takes fewer steps
start-ups     32 (claimed 32)
transfers     512
block hops    512
busiest link  12 blocks (claimed 12), first over (0,0) > (0,1)
verdict       passed: 13 rules and nothing to find
)~",
    .setup = setup,
};

}  // namespace commands

}  // namespace quadrille
