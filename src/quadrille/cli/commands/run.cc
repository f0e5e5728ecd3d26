// quadrille run: the main job. A plan is made or read, judged, lowered to rank programs, run on threads with
// real buffers, and every byte that arrives is checked.
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/interruption.h"
#include "quadrille/cli/node_run.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/report/array_report.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/stated_report.h"
#include "quadrille/cli/report/synchronisation_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/cli/run_groups.h"
#include "quadrille/cli/run_times.h"
#include "quadrille/compile/compile.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/run_options.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/runtime/job.h"

namespace quadrille {
namespace run_parts {
namespace {

// What kept the steps apart, and what that took.
void report_obeyed(const JobOptions& options, const JobResult& job, uint32_t ranks, Report& report) {
  if (options.synchronisation) {
    const std::string means = means_of(*options.synchronisation);
    report.add("obeyed", means, means);
    const uint64_t for_barriers = job.barriers * null_messages_of_barrier(ranks);
    report.add(
        "null messages",
        fmt::format("{}: {} for signals, {} for barriers", with_thousands(job.null_messages + for_barriers),
                    with_thousands(job.null_messages), with_thousands(for_barriers)),
        job.null_messages + for_barriers);
    report.add_json("barriers", job.barriers);
  }
  if (!job.meetings) return;
  std::string text = plural(job.meetings->conflicts, "conflict") + " between steps";
  if (job.meetings->pushed_aside > 0)
    text +=
        fmt::format("; {} pushed aside by a more urgent one", plural(job.meetings->pushed_aside, "message"));
  Json json = Json::object();
  json.set("conflicts", job.meetings->conflicts).set("pushed_aside", job.meetings->pushed_aside);
  report.add("links", text, std::move(json));
}

void report_job(const RunOptions& options, const JobOptions& wanted, const JobResult& job,
                const Problem& problem, Report& report) {
  const uint32_t ranks = problem.collective().num_ranks();
  report.add("ranks", fmt::format("{}, one thread each", ranks), ranks);
  // Where paths may share links, or messages cost, `messages` are those of a node and step.
  const bool counts_of_node = problem.model().switching == Switching::kShared || messages_cost(problem);
  report.add(counts_of_node ? "messages in all" : "messages",
             fmt::format("{} of {}", with_thousands(job.messages), message_text(problem, options.bytes())),
             job.messages);
  report.add_json("block_bytes", options.bytes());
  report.add_json("chunk_bytes", chunk_bytes(problem, options.bytes()));
  report.add_json("iterations", options.iterations);
  report.add("bytes moved",
             fmt::format("{} between ranks, {} within", with_thousands(job.bytes_sent),
                         with_thousands(job.bytes_local)),
             job.bytes_sent);
  report.add_json("bytes_local", job.bytes_local);
  report.add("bytes checked", with_thousands(job.bytes_checked), job.bytes_checked);
  report.add("wrong bytes", with_thousands(job.wrong_bytes), job.wrong_bytes);
  if (wanted.elements) {
    const std::string text = elements_text(problem, options.bytes(), wanted);
    report.add("elements", text, text);
    report.add("error", error_text(*wanted.elements, job), job.error);
  }
  report_times(problem, options, job.times, report);
}

constexpr CsvColumn kColumns[] = {{"collective", "collective"},
                                  {"network", "topology"},
                                  {"algorithm", "algorithm"},
                                  {"verdict", "verdict"},
                                  {"steps", "steps"},
                                  {"lower_bound", "lower_bound"},
                                  {"optimal", "optimal"},
                                  {"ranks", "ranks"},
                                  {"messages", "messages"},
                                  {"block_bytes", "block_bytes"},
                                  {"pieces", "pieces"},
                                  {"iterations", "iterations"},
                                  {"bytes_moved", "bytes_moved"},
                                  {"bytes_checked", "bytes_checked"},
                                  {"wrong_bytes", "wrong_bytes"},
                                  {"error", "error"},
                                  {"seconds_min", "time_min"},
                                  {"seconds_median", "time_median"},
                                  {"seconds_max", "time_max"},
                                  {"algorithm_gb_s", "bandwidth/algorithm"},
                                  {"bus_gb_s", "bandwidth/bus"}};

struct ThreadRunOptions : RunOptions {
  bool csv = false;
  bool watch_links = false;
  std::string groups{};
};

int run_job(const ThreadRunOptions& options, Console& console) {
  const ReportForm form{.json = options.json, .csv = options.csv, .columns = kColumns};
  form.require_one();
  if (!options.groups.empty()) {
    if (options.csv) throw InputError("--groups: --csv is for the plan of one collective");
    if (options.watch_links) throw InputError("--groups: --links is for the plan of one collective");
    return run_all_groups(options, options.groups, console);
  }
  if (options.local) {
    if (options.watch_links)
      throw InputError("--links: nodes that run by themselves have no plan whose links could be watched");
    return run_nodes_locally(options, form, console);
  }
  TerminalProgress progress(console);
  Wishes wishes = options.wishes();
  wishes.progress = &progress;
  const PlanSourceOptions source = options.plan_options();
  PlanSource asked = plan_source(source, "run", console);
  static_cast<void>(options.job(problem_of(asked)));  // refuses what makes no sense before a plan is made
  const Compiled judged = [&] {
    const StopsSearches at_interrupt;
    return compile(std::move(asked), wishes);
  }();
  const Problem& problem = judged.head.problem;

  Report report;
  report_problem(problem, report);
  report.add("algorithm", maker_of(options.source, judged), judged.head.algorithm);
  if (!judged.verdict.passed()) {
    report_verdict(problem, judged.verdict, report);
    report.print(console.out, form);
    if (form.for_people()) console.out << "\n" << findings_text(judged.verdict);
    return kExitBadPlan;
  }
  report_figures(judged, report);
  report_queues(problem, judged.verdict.queues, report);
  if (judged.arrays) report_arrays(*judged.arrays, report);
  report_synchronisation(judged, report);
  const Verdict verdict = verdict_with_synchronisation(judged);
  report_verdict(problem, verdict, report);
  if (!options.source.plan.empty()) report_stated(judged.stated, report);
  if (!judged.good()) {
    report.print(console.out, form);
    if (form.for_people()) console.out << "\n" << findings_text(verdict) << stated_text(judged.stated);
    return kExitBadPlan;
  }
  JobOptions wanted = options.job(judged);
  wanted.watch_links = options.watch_links;
  const JobResult job = while_waiting(console, "running the schedule",
                                      [&] { return run_on_threads(*judged.schedule, wanted); });
  report_job(options, wanted, job, problem, report);
  report_obeyed(wanted, job, problem.collective().num_ranks(), report);
  report.print(console.out, form);
  if (form.for_people() && !judged.stated.unchecked.empty())
    console.out << "\n" << stated_text(judged.stated);
  if (job.correct()) return kExitOk;
  console.err << "error: bytes arrived wrong; this is a bug in Quadrille, please report it\n";
  return kExitInternalError;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ThreadRunOptions>();
  add_run_options(app, *options, &options->csv);
  constexpr const char* kLinksOrGroups =
      "hold the links of paths, count where steps meet; groups, as in plan";
  app.add_flag("--links", options->watch_links, kLinksOrGroups)->group(kLinksOrGroups);
  app.add_option("--groups", options->groups, kLinksOrGroups)->type_name("WHO")->group(kLinksOrGroups);
  return [options](Console& console) {
    options->source.take_plan_word();
    return run_job(*options, console);
  };
}

}  // namespace
}  // namespace run_parts

namespace commands {

extern const Command run;

const Command run{
    .name = "run",
    .summary = "run a schedule on threads with real buffers, check every byte",
    .details =
        "The main job: makes or reads a plan, judges it, turns it into what each rank does, runs the ranks "
        "as threads over real buffers, and checks every byte that arrives. Barriers, signals and priorities "
        "that the plan's file states, or that --sync asks for, are obeyed: barriers and signals are messages "
        "that carry nothing; with priorities messages hold the links of their paths, as worms do, and let "
        "more urgent ones pass. Reductions combine bytes or, with --type and --op, numbers, held against what one "
        "rank after another gives; every run gives the same bits. "
        "With --local no plan is made: every node, routers too, is a thread that knows "
        "its address and a small table and decides for itself; `quadrille list local` names the algorithms "
        "whose nodes can.",
    .example = R"~($ quadrille run alltoall "torus(4,4)" --bytes 65536 | tail -3
wrong bytes    0
time           19.87 ms
bandwidth      0.0528 GB/s, on the bus 0.0495 GB/s
)~",
    .setup = run_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
