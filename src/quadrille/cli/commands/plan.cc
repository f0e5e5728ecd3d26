// quadrille plan: makes a schedule, judges it, and holds it against lower bounds. The plan is never stored:
// its steps stream through the judge, and into the file if one is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/whole_number.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/comparison.h"
#include "quadrille/cli/frontier.h"
#include "quadrille/cli/options/algorithm_option.h"
#include "quadrille/cli/options/problem_options.h"
#include "quadrille/cli/rearrangement.h"
#include "quadrille/cli/report/array_report.h"
#include "quadrille/cli/report/gnuplot.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/progress.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/options/argument_parser.h"
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
  uint64_t bytes = 1;
  bool frontier = false;
  bool compare = false;
  bool by_step = false;
  std::string plot{};
  const ArgumentParser* app = nullptr;  // knows which options were given

  // The plan itself goes where the figures would go.
  [[nodiscard]] bool to_pipe() const { return output == "-"; }
};

// Where the steps go besides the judge: into a file that has its name only when all is well, into a pipe as
// they come, or into a string.
class PlanOutput {
 public:
  PlanOutput(const PlanHead& head, const PlanOptions& options, std::ostream& pipe) {
    if (options.to_pipe()) {
      to_file_ = plain_plan_format().writer(head, [&pipe](std::string_view part) { pipe << part; });
    } else if (!options.output.empty()) {
      const PlanFormat& format = plan_format_of(options.output);
      file_.emplace(options.output);
      to_file_ = format.writer(head, [this](std::string_view part) { file_->write(part); });
    }
    if (options.steps) {
      to_text_ = plain_plan_format().writer(head, [this](std::string_view part) { text_ += part; });
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
      if (file_) file_->commit();
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

// --frontier and --compare make no plan: what is asked about one would be passed over.
void require_none_of(const PlanOptions& options, std::string_view instead,
                     std::initializer_list<const char*> others) {
  for (const char* other : others) {
    if (options.app->count(other) == 0) continue;
    throw InputError(fmt::format("{} makes no plan, and {} does not go with it", instead, other));
  }
}

int show_frontier(const PlanOptions& options, Console& console) {
  require_none_of(options, "--frontier",
                  {"--algorithm", "--output", "--steps", "--by-step", "--slices", "--bytes"});
  const std::string format = options.plot.empty() ? "" : picture_format(options.plot);
  const Problem problem = options.problem.problem();
  const std::vector<FrontierPoint> points = frontier(problem);
  if (!options.plot.empty()) draw_with_gnuplot(frontier_plot(problem, points, format), options.plot);
  Report report;
  report_problem(problem, report);
  report_frontier(problem, points, report);
  if (rearranging_costs(problem))
    report.add("rearrangement", "not counted: the points trade start-ups for blocks alone", Json());
  if (!options.plot.empty()) report.add("written", options.plot, options.plot);
  report.print(console.out, options.json);
  if (!options.json) console.out << "\n" << frontier_table(points);
  return kExitOk;
}

int show_comparison(const PlanOptions& options, Console& console) {
  require_none_of(options, "--compare",
                  {"--frontier", "--plot", "--algorithm", "--output", "--steps", "--by-step", "--slices"});
  const Problem problem = options.problem.problem();
  const std::vector<ComparedCost> costs = compare_costs(problem, options.bytes);
  Report report;
  report_problem(problem, report);
  report_comparison(problem, costs, report);
  report.print(console.out, options.json);
  if (!options.json) console.out << "\n" << comparison_table(problem, costs);
  return kExitOk;
}

// Remembers the most blocks in one transfer of each step.
class LargestTransfers final : public StepSink {
 public:
  void push(const StepView& step) override {
    size_t most = 0;
    for (size_t t = 0; t < step.size(); ++t) most = std::max(most, step.blocks(t).size());
    text_ += (text_.empty() ? "" : ", ") + with_thousands(most);
    json_.push(most);
  }
  void report(Report& report) const { report.add("largest transfers", text_, json_); }

 private:
  std::string text_{};
  Json json_ = Json::array();
};

// What it takes by the model's constants, if they say more than how many steps there are. No plan takes less
// than the start-ups and the critical blocks that all of them need (an empty step could be left out, so that
// a bound on the steps is one on the start-ups).
void report_time(const Problem& problem, const Figures& figures, std::span<const Bound> bounds,
                 std::optional<uint64_t> rearranged, uint64_t block_bytes, Report& report) {
  const CostConstants& cost = problem.model().cost;
  if (cost.tx == 0 && cost.rho == 0) return;
  const double time =
      time_of(cost, figures.start_ups, figures.critical_blocks, rearranged.value_or(0), block_bytes);
  std::string text =
      fmt::format("{:.6g}, of it {:.6g} start-ups", time, static_cast<double>(figures.start_ups) * cost.ts);
  if (rearranging_costs(problem)) {
    text += rearranged
                ? fmt::format(" and {:.6g} rearrangement", time_of(cost, 0, 0, *rearranged, block_bytes))
                : "; rearrangement not counted (--slices counts it)";
    report.add_json("rearrangement_counted", rearranged.has_value());
  }
  const auto starts = static_cast<uint64_t>(best_of(bounds).value.ceil());
  const auto blocks = static_cast<uint64_t>(best_of(bounds, BoundOn::kCriticalBlocks).value.ceil());
  // Every start-up has a block.
  const double least = time_of(cost, starts, std::max(starts, blocks), 0, block_bytes);
  report.add("time",
             fmt::format("{}, for blocks of {}; at least {:.6g}", text, plural(block_bytes, "byte"), least),
             time);
  report.add_json("lower_bound_time", least);
}

int make_plan(const PlanOptions& options, Console& console) {
  if (options.compare) return show_comparison(options, console);
  if (options.frontier) return show_frontier(options, console);
  if (!options.plot.empty()) throw InputError("--plot draws the points of --frontier");
  if (options.to_pipe() && options.steps) throw InputError("--steps and -o -: both print the steps");
  if (options.json && options.steps) throw InputError("--steps and --json: -o FILE.json has both");
  const Problem problem = options.problem.problem();
  const std::vector<Bound> bounds = all_bounds(problem);
  const Choice choice = pick_algorithm(problem, options.algorithm, options.bytes, bounds, console);
  const PlanHead head = plan_head(problem, choice, bounds);

  Judge judge(problem, {.queues = options.problem.model.wants_queues()});
  PlanOutput output(head, options, console.out);
  LargestTransfers largest;
  {
    StepSink& sink = output.through(judge);
    Tee counted(sink, largest);
    Progress progress(options.by_step ? static_cast<StepSink&>(counted) : sink, console, head.claims.steps);
    choice.generate(problem, progress);
  }
  const Verdict verdict = judge.finish();
  if (!verdict.passed()) {
    console.err << fmt::format(
        "error: the judge rejects the plan that {} made for {}; this is a bug in Quadrille\n{}",
        choice.name(), problem.title(), findings_text(verdict));
    return kExitInternalError;
  }
  output.commit();

  Report report;
  report_problem(problem, report);
  report.add("algorithm", fmt::format("{}: {}", choice.name(), choice.reason), choice.name());
  report.add_json("reason", choice.reason);
  report_figures(problem, head.claims, bounds, verdict.figures, report);
  if (options.by_step) largest.report(report);
  report_queues(problem, verdict.queues, report);
  std::optional<uint64_t> rearranged = choice.rearranged();
  if (options.slices) {  // the only figure that needs the whole plan at once
    Plan plan;
    choice.generate(problem, plan);
    rearranged = report_arrays(*verify(problem, std::move(plan)).schedule, report);
  }
  report_time(problem, verdict.figures, bounds, rearranged, options.bytes, report);
  report_verdict(problem, verdict, report);
  if (!options.output.empty() && !options.to_pipe()) report.add("written", options.output, options.output);
  if (options.steps) console.out << output.text() << "\n";
  report.print(options.to_pipe() ? console.err : console.out, options.json);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<PlanOptions>();
  options->app = &app;
  add_problem_options(app, options->problem);
  add_algorithm_option(app, options->algorithm);
  app.add_option("-o,--output", options->output,
                 fmt::format("write the plan: {}; - prints it", plan_names_and_readers()))
      ->type_name("FILE");
  app.add_option("--bytes", options->bytes, "size of a block, for times and for what auto picks (default 1)")
      ->type_name("B")
      ->check(positive_number_error);
  app.add_flag("--frontier", options->frontier,
               "instead of a plan: all that is not beaten in start-ups and blocks (worms)");
  app.add_flag("--compare", options->compare,
               "instead of a plan: all algorithms and published costs by time (worms)");
  app.add_flag("--by-step", options->by_step, "print the most blocks in one transfer of each step, too");
  app.add_option("--plot", options->plot, "draw the frontier with gnuplot: FILE.svg or FILE.png")
      ->type_name("FILE");
  app.add_flag("--steps", options->steps, "print the steps, too");
  app.add_flag("--slices", options->slices, kSlicesHelp);
  app.add_flag("--json", options->json, "print figures as JSON");
  return [options](Console& console) { return make_plan(*options, console); };
}

}  // namespace

namespace commands {

extern const Command plan;

const Command plan{
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

}  // namespace commands

}  // namespace quadrille
