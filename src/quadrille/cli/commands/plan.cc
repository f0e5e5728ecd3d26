// quadrille plan: makes a schedule, judges it, and holds it against lower bounds. The plan is never stored:
// its steps stream through the judge, and into the file if one is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/kept/kept_refutations.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/interruption.h"
#include "quadrille/cli/plan_groups.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/array_report.h"
#include "quadrille/cli/report/comparison_report.h"
#include "quadrille/cli/report/csv_word.h"
#include "quadrille/cli/report/pictures/frontier_plot.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/sizes/frontier_report.h"
#include "quadrille/cli/report/sizes/size_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/sizes/size_reasons.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/problem_options.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/plan_reader.h"

namespace quadrille {
namespace plan_parts {
namespace {

// For whatever asks all algorithms.
constexpr unsigned kThreads = 2;

struct PlanOptions {
  ProblemOptions problem{};
  std::vector<std::string> more{};  // networks
  bool csv = false;
  std::string groups{};
  std::string algorithm = "auto";
  SearchOptions search{};
  std::string output{};
  bool slices = false;
  bool json = false;
  bool steps = false;
  bool frontier = false;
  bool compare = false;
  bool by_step = false;
  std::string plot{};
  const ArgumentParser* app = nullptr;  // knows which options were given

  // The plan itself goes where the figures would go.
  [[nodiscard]] uint64_t bytes() const { return problem.message_bytes().value_or(kDefaultMessageBytes); }
  [[nodiscard]] bool to_pipe() const { return output == "-"; }
};

// Where the steps go besides the judge: into a file that has its name only when all is well, into a pipe as
// they come, or into a string. Remembers the most blocks in one transfer of each step, if that is asked for.
class PlanOutput final : public StepSink {
 public:
  PlanOutput(const PlanHead& head, const PlanOptions& options, std::ostream& pipe)
      : by_step_(options.by_step) {
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

  void push(const StepView& step) override {
    if (to_file_) to_file_->push(step);
    if (to_text_) to_text_->push(step);
    if (!by_step_) return;
    size_t most = 0;
    for (size_t t = 0; t < step.size(); ++t) most = std::max(most, step.blocks(t).size());
    largest_.push_back(most);
  }

  // Without it nobody has to write steps out.
  [[nodiscard]] bool wants_steps() const { return to_file_ || to_text_ || by_step_; }

  // After the last step of a plan that passed.
  void commit() {
    if (to_file_) {
      to_file_->finish();
      if (file_) file_->commit();
    }
    if (to_text_) to_text_->finish();
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  void report_largest(Report& report) const {
    if (!by_step_) return;
    std::vector<std::string> texts;
    Json all = Json::array();
    for (const size_t most : largest_) {
      texts.push_back(with_thousands(most));
      all.push(most);
    }
    report.add("largest transfers", join(texts), std::move(all));
  }

 private:
  bool by_step_;
  std::optional<FileWriter> file_{};
  std::unique_ptr<PlanWriter> to_file_{};
  std::unique_ptr<PlanWriter> to_text_{};
  std::string text_{};
  std::vector<size_t> largest_{};
};

Problem problem_of(const PlanOptions& options, Console& console, bool makes_plan = false) {
  Problem out = while_waiting(console, "building the network",
                              [&] { return options.problem.problem_for_figures(makes_plan); });
  say_remarks(out.topology(), console);
  return out;
}

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
                  {"--algorithm", "--output", "--steps", "--by-step", "--slices", "--bytes", "--ts", "--tx",
                   "--tl", "--queues"});
  const std::string format = options.plot.empty() ? "" : picture_format(options.plot);
  const Problem problem = problem_of(options, console);
  const Frontier front = while_waiting(console, "looking for all that is not beaten",
                                       [&] { return frontier(problem, kThreads); });
  if (!options.plot.empty()) draw_with_gnuplot(frontier_plot(problem, front, format), options.plot);
  Report report;
  report_problem(problem, report);
  report_frontier(front, report);
  if (rearranging_costs(problem))
    report.add("rearrangement", "not counted: the points trade start-ups for blocks alone", Json());
  if (!options.plot.empty()) report.add("written", options.plot, options.plot);
  report.print(console.out, options.json);
  if (!options.json) console.out << "\n" << frontier_table(front, problem.model().cost);
  return kExitOk;
}

void require_size_counts(const PlanOptions& options, const Problem& problem) {
  if (options.app->count("--bytes") > 0) quadrille::require_size_counts(problem.model().cost, "--bytes");
}

// Where nobody says what anything costs, steps count.
bool is_timed(const PlanOptions& options) {
  return std::ranges::any_of(std::initializer_list<const char*>{"--bytes", "--machine", "--ts", "--tx",
                                                                "--tl", "--rho", "--to", "--loggp"},
                             [&](const char* option) { return options.app->count(option) > 0; });
}

// The number of pieces, unless it is to be chosen.
std::optional<uint32_t> given_pieces(const PlanOptions& options) {
  if (options.problem.any_pieces()) return std::nullopt;
  return options.problem.rest.first_pieces();
}

int show_times_compared(const PlanOptions& options, const Problem& problem, Console& console) {
  const Problem compared = with_packets_of_sizes(problem, options.problem.any_packets());
  const Problem one = compared.collective().pieces() == 1 ? compared : in_pieces(compared, 1);
  SizeComparison found = while_waiting(console, "asking every algorithm", [&] {
    return compare_at(one, options.bytes(), kThreads, given_pieces(options));
  });
  // Where nobody names a size, `auto` does not go by it.
  if (!options.problem.message_bytes()) found.chosen.reset();
  Report report;
  report_problem(compared, report);
  report_size_comparison(compared, options.bytes(), found, report);
  report.print(console.out, options.json);
  if (!options.json) console.out << "\n" << size_comparison_table(compared, options.bytes(), found);
  return kExitOk;
}

int show_steps_compared(const PlanOptions& options, const Problem& problem, Console& console) {
  const StepComparison found =
      while_waiting(console, "asking every algorithm", [&] { return compare_steps(problem); });
  Report report;
  report_problem(problem, report);
  report_steps_comparison(problem, found, report);
  report.print(console.out, options.json);
  if (!options.json) console.out << "\n" << steps_table(problem, found);
  return kExitOk;
}

int show_comparison(const PlanOptions& options, Console& console) {
  require_none_of(
      options, "--compare",
      {"--frontier", "--plot", "--algorithm", "--output", "--steps", "--by-step", "--slices", "--queues"});
  const Problem problem = problem_of(options, console);
  require_size_counts(options, problem);
  return is_timed(options) ? show_times_compared(options, problem, console)
                           : show_steps_compared(options, problem, console);
}

Json json_of(const std::optional<RunnerUp>& next) {
  if (!next) return {};
  Json out = Json::object();
  out.set("algorithm", next->algorithm);
  const auto add = [&out](const char* name, const std::optional<uint64_t>& figure) {
    if (figure) out.set(name, *figure);
  };
  add("steps", next->predicted.steps);
  add("start_ups", next->predicted.start_ups);
  add("busiest_link", next->predicted.busiest_link);
  add("critical_blocks", next->predicted.critical_blocks);
  return out;
}

// What takes a plan that is made, and not figures alone.
constexpr std::array kOfSteps = {"--output", "--steps", "--by-step", "--slices", "--queues"};

// Where no judge could follow the blocks there are figures and no steps.
void require_figures_only(const PlanOptions& options, const std::string& why) {
  for (const char* option : kOfSteps) {
    if (options.app->count(option) > 0)
      throw InputError(fmt::format("{}: the steps cannot be written out: {}; without it figures are printed",
                                   option, why));
  }
}

int show_predicted(const Decision& decision, const std::string& why, const PlanOptions& options,
                   Console& console) {
  Report report;
  report_problem(decision.head.problem, report);
  report.add("algorithm", fmt::format("{}: {}", decision.head.algorithm, decision.reason),
             decision.head.algorithm);
  report.add_json("reason", decision.reason);
  report_predicted(decision, options.bytes(), report);
  report.add("verdict", fmt::format("not judged: {}", why), "not judged");
  report.print(console.out, options.json);
  return kExitOk;
}

// Where no card predicts of blocks that are only counted, what keeps them from being numbered and judged is the reason.
Decision decide_of(const Problem& problem, const Wishes& wishes,
                   const std::optional<std::string>& not_judged) {
  try {
    return decide(problem, wishes);
  } catch (const InputError&) {
    if (not_judged && wishes.algorithm == "auto") throw InputError(*not_judged);
    throw;
  }
}

int make_groups(const PlanOptions& options, Console& console) {
  for (const char* other :
       {"--compare", "--frontier", "--plot", "--algorithm", "--steps", "--by-step", "--slices", "--queues"})
    if (options.app->count(other) > 0)
      throw InputError(fmt::format("--groups: {} is for the plan of one collective", other));
  return plan_all_groups(options.problem,
                         {.groups = options.groups,
                          .output = options.output,
                          .search = {.gap = options.search.gap(), .effort = options.search.effort()},
                          .json = options.json},
                         console);
}

// What stands above the steps. A witness that takes a search is found for a file alone.
PlanHead head_for(const Decision& decision, const PlanOptions& options, Console& console) {
  PlanHead head = decision.head;
  if (options.output.empty()) return head;
  if (std::ranges::any_of(head.bounds, [](const PlanBound& bound) { return bound.witness.has_value(); }))
    return head;
  const int64_t least = best_of(decision.bounds).value.ceil();
  for (PlanBound& bound : head.bounds) {
    if (bound.name != kRefutationBound || bound.value.ceil() < least) continue;
    bound.witness = while_waiting(console, "finding the witness of " + bound.name,
                                  [&] { return refutation_made_again(head.problem); });
  }
  return head;
}

Wishes wishes_of(const PlanOptions& options) {
  return {.algorithm = options.algorithm,
          .bytes = options.problem.message_bytes(),
          .any_pieces = options.problem.any_pieces(),
          .any_packets = options.problem.any_packets(),
          .same_at_all_nodes = !options.problem.model.wants_queues() && !options.slices,
          .gap = options.search.gap(),
          .effort = options.search.effort(),
          .stored = false,
          .queues = options.problem.model.wants_queues(),
          .arrays = options.slices};
}

std::string shown_time(const Problem& problem, double time) {
  return fmt::format("{:.6g}{}", time, problem.model().cost.in_microseconds ? " us" : "");
}

std::vector<uint64_t> sizes_of(const PlanOptions& options) {
  if (options.problem.bytes.empty()) return {};
  return parse_byte_sizes(options.problem.bytes, "--bytes");
}

// A line for each network, and each size of message. What is made is judged, and not kept.
int make_several(const PlanOptions& options, Console& console) {
  for (const char* other : {"--groups", "--compare", "--frontier", "--plot", "--output", "--steps",
                            "--by-step", "--slices", "--queues"})
    if (options.app->count(other) > 0)
      throw InputError(fmt::format(
          "{}: it is for one plan; several networks or sizes, and --csv, are a line of figures for each",
          other));
  if (options.csv && options.json) throw InputError("--csv and --json: one of them, please");
  std::vector<std::string> networks = options.more;
  networks.insert(networks.begin(), options.problem.topology);
  // Whatever is wrong is said before the first is planned.
  TerminalProgress progress(console);
  std::vector<PlanOptions> asked;
  std::vector<Problem> problems;
  std::vector<Wishes> wishes;
  const std::vector<uint64_t> sizes = sizes_of(options);
  for (const std::string& network : networks)
    for (size_t s = 0; s < std::max<size_t>(1, sizes.size()); ++s) {
      PlanOptions& one = asked.emplace_back(options);
      one.problem.topology = network;
      if (!sizes.empty()) one.problem.bytes = std::to_string(sizes[s]);
      problems.push_back(problem_of(one, console, true));
      require_size_counts(options, problems.back());
      wishes.push_back(wishes_of(one));
      wishes.back().progress = &progress;
    }
  std::vector<Decision> decisions;
  for (size_t i = 0; i < problems.size(); ++i) {
    const std::optional<std::string> why = not_judged_here(problems[i]);
    decisions.push_back(decide_of(problems[i], wishes[i], why));
    if (why && !is_judged_at_one_node(decisions.back(), wishes[i]))
      throw InputError(fmt::format("{}: no plan can be made: {}", asked[i].problem.topology, *why));
  }
  // Either all have times or none, by the options; or one has them, from its file.
  std::vector<Compiled> all_made;
  std::string lines =
      "collective,network,algorithm,steps,lower_bound,bound,start_ups,transfers,time,least_time,time_unit,bytes\n";
  Json all = Json::array();
  for (size_t i = 0; i < decisions.size(); ++i) all_made.push_back(compile(decisions[i], wishes[i]));
  const bool timed =
      std::ranges::any_of(all_made, [](const Compiled& made) { return made.time.has_value(); });
  std::vector<std::string> header = {"network"};
  if (sizes.size() > 1) header.emplace_back("message");
  header.insert(header.end(), {"steps", "bound"});
  if (timed) header.insert(header.end(), {"time", "least"});
  header.insert(header.end(), {"rounds", "transfers", "algorithm"});
  Table table(header);
  for (size_t i = 0; i < all_made.size(); ++i) {
    const Compiled& made = all_made[i];
    const Problem& planned = made.head.problem;
    const Bound least = made.least_steps();
    const Figures& figures = made.verdict.figures;
    const std::optional<PlanTime>& time = made.time;
    const std::string unit = planned.model().cost.in_microseconds ? "us" : "units";
    std::vector<std::string> row = {planned.topology().name()};
    if (sizes.size() > 1) row.push_back(bytes_text(*wishes[i].bytes));
    row.insert(row.end(),
               {with_thousands(figures.steps), with_thousands(static_cast<uint64_t>(least.value.ceil()))});
    if (timed)
      row.insert(row.end(), {time ? shown_time(planned, time->total) : "",
                             time ? shown_time(planned, time->least) : ""});
    row.insert(row.end(), {with_thousands(figures.critical_blocks), with_thousands(figures.transfers),
                           made.head.algorithm});
    table.row(std::move(row));
    lines += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", planned.collective().name(),
                         csv_word(planned.topology().name()), csv_word(made.head.algorithm), figures.steps,
                         least.value.ceil(), least.name, figures.start_ups, figures.transfers,
                         time ? fmt::format("{:.12g}", time->total) : "",
                         time ? fmt::format("{:.12g}", time->least) : "", time ? unit : "",
                         wishes[i].bytes ? std::to_string(*wishes[i].bytes) : "");
    Json one = Json::object();
    one.set("topology", planned.topology().name()).set("collective", planned.collective().name());
    one.set("algorithm", made.head.algorithm).set("reason", made.reason).set("steps", figures.steps);
    one.set("lower_bound", least.value.ceil()).set("lower_bound_by", least.name);
    one.set("start_ups", figures.start_ups).set("transfers", figures.transfers);
    if (wishes[i].bytes) one.set("bytes", *wishes[i].bytes);
    if (time) one.set("time", time->total).set("lower_bound_time", time->least).set("time_unit", unit);
    all.push(std::move(one));
  }
  console.out << (options.json ? all.text() : options.csv ? lines : table.text());
  return kExitOk;
}

int make_plan(PlanOptions& options, Console& console) {
  const std::vector<uint64_t> sizes = sizes_of(options);
  if (!options.more.empty() || options.csv || sizes.size() > 1) return make_several(options, console);
  // "1K,1K" is one size.
  if (!sizes.empty()) options.problem.bytes = std::to_string(sizes.front());
  if (!options.groups.empty()) return make_groups(options, console);
  if (options.compare) return show_comparison(options, console);
  if (options.frontier) return show_frontier(options, console);
  if (!options.plot.empty()) throw InputError("--plot draws the points of --frontier");
  if (options.to_pipe() && options.steps) throw InputError("--steps and -o -: both print the steps");
  if (options.json && options.steps) throw InputError("--steps and --json: -o FILE.json has both");
  const bool wants_steps =
      std::ranges::any_of(kOfSteps, [&](const char* option) { return options.app->count(option) > 0; });
  const Problem problem = problem_of(options, console, wants_steps);
  require_size_counts(options, problem);
  TerminalProgress progress(console);
  Wishes wishes = wishes_of(options);
  wishes.progress = &progress;
  wishes.crew = console.crew;
  const std::optional<std::string> not_judged = not_judged_here(problem);
  if (not_judged) require_figures_only(options, *not_judged);
  bool is_stopped = false;
  const Decision decision = [&] {
    const StopsSearches at_interrupt;
    Decision out = decide_of(problem, wishes, not_judged);
    is_stopped = at_interrupt.happened();
    return out;
  }();
  if (not_judged && !is_judged_at_one_node(decision, wishes))
    return show_predicted(decision, *not_judged, options, console);
  PlanOutput output(head_for(decision, options, console), options, console.out);
  if (output.wants_steps()) wishes.steps_to = &output;
  const Compiled made = compile(decision, wishes);
  while_waiting(console, "writing the plan", [&] { output.commit(); });

  Report report;
  const Problem& planned = made.head.problem;
  report_problem(planned, report);
  report.add("algorithm", fmt::format("{}: {}", made.head.algorithm, made.reason), made.head.algorithm);
  report.add_json("reason", made.reason);
  report.add_json("runner_up", json_of(made.runner_up));
  if (is_stopped)
    report.add("stopped", "by Ctrl-C while searching: a longer search may find a shorter plan", true);
  report_figures(made, report);
  output.report_largest(report);
  report_queues(planned, made.verdict.queues, report);
  if (made.arrays) report_arrays(*made.arrays, report);
  report_time(made, options.bytes(), report);
  report_verdict(planned, made.verdict, report);
  if (!options.output.empty() && !options.to_pipe()) report.add("written", options.output, options.output);
  if (options.steps) console.out << output.text() << "\n";
  report.print(options.to_pipe() ? console.err : console.out, options.json);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<PlanOptions>();
  options->app = &app;
  add_problem_options(app, options->problem);
  app.add_option("MORE...", options->more, "more networks: a table with a line for each")->repeated();
  app.add_option("--groups", options->groups,
                 "several at once: FILE, or rows, columns, planes, dimensions 0,2 of a grid")
      ->type_name("WHO");
  add_algorithm_option(app, options->algorithm);
  add_search_options(app, options->search);
  app.add_option("-o,--output", options->output,
                 fmt::format("write the plan: {}; - prints it", plan_names_and_readers()))
      ->type_name("FILE");
  app.add_option("--bytes", options->problem.bytes,
                 fmt::format("size of a block or vector: 64K, 1MiB (default {}); 1K,1M: a line each",
                             kDefaultMessageBytes))
      ->type_name("B")
      ->checked_by([](std::string_view value, std::string_view name) {
        static_cast<void>(parse_byte_sizes(value, name));
      });
  constexpr const char* kInstead = "instead of a plan";
  app.add_flag("--compare", options->compare,
               "instead: all algorithms; what none beats in start-ups and volume")
      ->group(kInstead);
  app.add_flag("--frontier", options->frontier, "all that is not beaten in start-ups and volume")
      ->group(kInstead);
  app.add_option("--plot", options->plot, "draw the frontier with gnuplot: FILE.svg or FILE.png")
      ->type_name("FILE");
  constexpr const char* kSteps = "print the most blocks in one transfer of each step; the steps, too";
  app.add_flag("--by-step", options->by_step, kSteps)->group(kSteps);
  app.add_flag("--steps", options->steps, kSteps)->group(kSteps);
  add_slices_option(app, options->slices);
  const char* const figures = "print figures as JSON; as a line of CSV for each network";
  app.add_flag("--json", options->json, figures)->group(figures);
  app.add_flag("--csv", options->csv, figures)->group(figures);
  return [options](Console& console) { return make_plan(*options, console); };
}

}  // namespace
}  // namespace plan_parts

namespace commands {

extern const Command plan;

const Command plan{
    .name = "plan",
    .summary = "make a schedule, judge it, hold it against lower bounds",
    .details =
        "Chooses an algorithm, judges every transfer of its plan, says how far it is from the best bound.",
    .example =
        R"~($ quadrille plan alltoall "torus(4,4)" --ports one --algorithm alltoall_cayley -o exchange.json | tail -13
collective    alltoall: 256 blocks
model         one-port, packet switching, full duplex
algorithm     alltoall_cayley: asked for
steps         32 (predicted 32)
lower bound   32 by average_status: the blocks need 512 transfers, and all send ports together allow
              16 a step
quality       optimal: no plan takes fewer steps
start-ups     32 (predicted 32)
transfers     512
block hops    512
busiest link  12 blocks (predicted 12), first over (0,0) > (0,1)
verdict       verified: 15 rules, no violations
written       exchange.json
)~",
    .setup = plan_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
