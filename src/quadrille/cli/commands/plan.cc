// quadrille plan: makes a schedule, judges it, and holds it against lower bounds. The plan is never stored:
// its steps stream through the judge, and into the file if one is asked for.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/cli/algorithm_option.h"
#include "quadrille/cli/array_report.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_report.h"
#include "quadrille/cli/problem_options.h"
#include "quadrille/cli/progress.h"
#include "quadrille/cli/report.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

struct PlanOptions {
  ProblemOptions problem{};
  std::string algorithm = "auto";
  std::string output{};
  bool slices = false;
  bool json = false;
  bool steps = false;
};

// Where the steps go besides the judge: into a file that has its name only when all is well, or into a
// string.
class PlanOutput {
 public:
  PlanOutput(const PlanHead& head, const PlanOptions& options) {
    if (!options.output.empty()) {
      const PlanForm form = plan_form_of(options.output);
      file_.emplace(options.output);
      to_file_ = plan_writer(head, form, [this](std::string_view part) { file_->write(part); });
    }
    if (options.steps) {
      to_text_ = plan_writer(head, PlanForm::kText, [this](std::string_view part) { text_ += part; });
    }
  }

  // The sink that feeds `judge` and all outputs.
  StepSink& through(StepSink& judge) {
    StepSink* sink = &judge;
    if (to_file_) sink = &file_tee_.emplace(*sink, *to_file_);
    if (to_text_) sink = &text_tee_.emplace(*sink, *to_text_);
    return *sink;
  }

  // After the last step of a plan that passed.
  void commit() {
    if (to_file_) {
      to_file_->finish();
      file_->commit();
    }
    if (to_text_) to_text_->finish();
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::optional<FileWriter> file_{};
  std::unique_ptr<PlanWriter> to_file_{};
  std::unique_ptr<PlanWriter> to_text_{};
  std::string text_{};
  std::optional<Tee> file_tee_{};
  std::optional<Tee> text_tee_{};
};

int make_plan(const PlanOptions& options, Console& console) {
  if (options.json && options.steps) throw InputError("--steps and --json: -o FILE.json has both");
  const Problem problem = options.problem.problem();
  const Choice choice = pick_algorithm(problem, options.algorithm);
  const PlanHead head = plan_head(problem, choice);

  Judge judge(problem, {.queues = options.problem.model.wants_queues()});
  PlanOutput output(head, options);
  {
    Progress progress(output.through(judge), console, head.claims.steps);
    choice.algorithm->generate(problem, progress);
  }
  const Verdict verdict = judge.finish();
  if (!verdict.passed()) {
    console.err << fmt::format(
        "error: the judge rejects the plan that {} made for {}; this is a bug in Quadrille\n{}",
        choice.algorithm->name, problem.title(), findings_text(verdict));
    return kExitInternalError;
  }
  output.commit();

  Report report;
  report_problem(problem, report);
  report.add("algorithm", fmt::format("{}: {}", choice.algorithm->name, choice.reason),
             choice.algorithm->name);
  report.add_json("reason", choice.reason);
  report_figures(problem, head.claims, verdict.figures, report);
  report_queues(problem, verdict.queues, report);
  if (options.slices) {  // the only figure that needs the whole plan at once
    Plan plan;
    choice.algorithm->generate(problem, plan);
    report_arrays(*verify(problem, std::move(plan)).schedule, report);
  }
  report_verdict(verdict, report);
  if (!options.output.empty()) report.add("written", options.output, options.output);
  if (options.steps) console.out << output.text() << "\n";
  report.print(console.out, options.json);
  return kExitOk;
}

CommandAction setup(CLI::App& app) {
  const auto options = std::make_shared<PlanOptions>();
  add_problem_options(app, options->problem);
  add_algorithm_option(app, options->algorithm);
  app.add_option("-o,--output", options->output,
                 "write the plan: FILE.plan for people, FILE.json for programs")
      ->type_name("FILE");
  app.add_flag("--steps", options->steps, "print the steps, too");
  app.add_flag("--slices", options->slices, kSlicesHelp);
  app.add_flag("--json", options->json, "print figures as JSON");
  return [options](Console& console) { return make_plan(*options, console); };
}

}  // namespace

const Command commands::plan{
    .name = "plan",
    .summary = "make a schedule, judge it, hold it against lower bounds",
    .details =
        "Chooses an algorithm, lets it make a plan, has the judge check every transfer, and says how far "
        "the plan is from the best lower bound. Nothing is stored on the way: large plans take time, and "
        "memory for the blocks only.",
    .example =
        R"~($ quadrille plan alltoall "torus(4,4)" --ports one --algorithm alltoall_cayley -o exchange.json
topology      torus(4,4): 16 nodes, 64 arcs
collective    alltoall: 256 blocks
model         1 send port, 1 receive port, packet switching, full duplex
algorithm     alltoall_cayley: asked for
steps         32 (claimed 32)
lower bound   32 by average_status: the blocks need 512 transfers, and all send ports together allow
              16 a step
quality       optimal: no plan takes fewer steps
start-ups     32 (claimed 32)
transfers     512
block hops    512
busiest link  12 blocks (claimed 12), first over (0,0) > (0,1)
verdict       passed: 13 rules and nothing to find
written       exchange.json
)~",
    .setup = setup,
};

}  // namespace quadrille
