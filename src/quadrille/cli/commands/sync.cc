// quadrille sync: how the steps of a schedule are kept apart on machines without a common clock.
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/stated_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/compile.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/program/check_synchronisation.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/schedule/plan_reader.h"

namespace quadrille {
namespace sync_parts {
namespace {

struct SyncOptions {
  PlanSourceOptions source{};
  bool links_only = false;
  bool list = false;
  bool priorities = false;
  ReportForm form{};
  std::string output{};
};

constexpr CsvColumn kColumns[] = {{"collective", "collective"},
                                  {"network", "topology"},
                                  {"algorithm", "algorithm"},
                                  {"steps", "steps"},
                                  {"conflicts", "conflicts"},
                                  {"unordered", "unordered"},
                                  {"barriers", "num_barriers"},
                                  {"signals", "num_signals"},
                                  {"priority_levels", "priorities"},
                                  {"null_messages_of_barriers", "null_messages/barriers"},
                                  {"null_messages_of_signals", "null_messages/signals"}};

Json json_of(const Synchronisation& sync) {
  Json signals = Json::array();
  for (const Signal& s : sync.signals) {
    Json one = Json::object();
    one.set("from", static_cast<uint64_t>(index(s.from)))
        .set("after_step", s.after_step + 1)
        .set("to", static_cast<uint64_t>(index(s.to)))
        .set("before_step", s.before_step + 1);
    signals.push(std::move(one));
  }
  return signals;
}

Json json_of(const std::vector<Priority>& priorities) {
  Json all = Json::array();
  for (const Priority& p : priorities) {
    Json one = Json::object();
    one.set("step", p.step + 1).set("level", p.level);
    if (!p.of_whole_step())
      one.set("from", static_cast<uint64_t>(index(p.from))).set("to", static_cast<uint64_t>(index(p.to)));
    all.push(std::move(one));
  }
  return all;
}

void report_sync(const Synchronisation& sync, uint64_t boundaries, uint32_t nodes, Report& report) {
  report.add("conflicts",
             fmt::format("{} between transfers of different steps, {} of them not in order by themselves",
                         with_thousands(sync.conflicts), with_thousands(sync.unordered)),
             sync.conflicts);
  report.add_json("unordered", sync.unordered);
  std::vector<std::string> after;
  Json barriers = Json::array();
  for (const uint32_t step : sync.barriers) {
    after.push_back(fmt::format("{}", step + 1));
    barriers.push(step + 1);
  }
  report.add("barriers",
             fmt::format("{} at {} boundaries{}", sync.barriers.size(), boundaries,
                         after.empty() ? "" : ": after step " + join(after)),
             std::move(barriers));
  report.add_json("num_barriers", uint64_t{sync.barriers.size()});
  report.add_json("num_signals", uint64_t{sync.signals.size()});
  report.add("signals",
             fmt::format("{} from node to node instead of barriers", with_thousands(sync.signals.size())),
             json_of(sync));
  report.add("priorities", plural(sync.priority_levels, "level") + " instead of either",
             sync.priority_levels);
  report.add_json("message_priorities", json_of(sync.priorities));
  const uint64_t for_barriers = sync.barriers.size() * null_messages_of_barrier(nodes);
  Json null_messages = Json::object();
  null_messages.set("barriers", for_barriers).set("signals", static_cast<uint64_t>(sync.signals.size()));
  report.add("null messages",
             fmt::format("{} for barriers in software, {} for signals, none for priorities",
                         with_thousands(for_barriers), with_thousands(sync.signals.size())),
             std::move(null_messages));
}

void print_priorities(const Schedule& schedule, const Synchronisation& sync, std::ostream& out) {
  const Topology& topology = schedule.problem().topology();
  Table table({"step", "level", "from", "to"});
  for (const Priority& p : sync.priorities) {
    const auto node = [&](NodeId v) { return p.of_whole_step() ? std::string("all") : topology.label(v); };
    table.row({fmt::format("{}", p.step + 1), fmt::format("{}", p.level), node(p.from), node(p.to)});
  }
  if (!table.empty()) out << "\n" << table.text();
}

void print_signals(const Schedule& schedule, const Synchronisation& sync, std::ostream& out) {
  const Topology& topology = schedule.problem().topology();
  Table table({"from", "through with step", "to", "may start step"});
  for (const Signal& s : sync.signals) {
    table.row({topology.label(s.from), fmt::format("{}", s.after_step + 1), topology.label(s.to),
               fmt::format("{}", s.before_step + 1)});
  }
  if (!table.empty()) out << "\n" << table.text();
}

constexpr std::string_view kPipe = "-";

// The plan with what keeps its steps apart; the judge of that has its say before.
void write_synchronised(PlanHead head, const Schedule& schedule, PlanSynchronisation sync,
                        const std::string& output, Console& console) {
  const SynchronisationCheck check = check_synchronisation(schedule, sync, {.max_findings = 1});
  QUADRILLE_CHECK(check.passed(), check.findings.front().message);
  head.synchronisation = std::move(sync);
  if (output != kPipe) return write_plan_file(output, head, schedule.plan());
  const auto writer =
      plain_plan_format().writer(head, [&console](std::string_view part) { console.out << part; });
  schedule.plan().replay(*writer);
  writer->finish();
}

int synchronise_plan(const SyncOptions& options, Console& console) {
  if (options.list && options.priorities)
    throw InputError("--signals and --priorities: a plan is synchronised by one of them");
  const bool to_pipe = options.output == kPipe;
  if (!options.output.empty() && !to_pipe) (void)plan_format_of(options.output);  // before the work
  TerminalProgress progress(console);
  Wishes wishes = options.source.wishes();
  wishes.synchronisation = false;  // what is stated is replaced
  wishes.progress = &progress;
  const Compiled judged = compile(plan_source(options.source, "synchronise", console), wishes);
  Report report;
  report_problem(judged.head.problem, report);
  report.add("algorithm", maker_of(options.source, judged), judged.head.algorithm);
  if (!judged.verdict.passed()) {
    report_verdict(judged.head.problem, judged.verdict, report);
    report.print(console.out, options.form);
    if (options.form.for_people()) console.out << "\n" << findings_text(judged.verdict);
    return kExitBadPlan;
  }
  const StatedCheck& check = judged.stated;
  if (!options.source.plan.empty()) report_stated(check, report);
  if (!judged.good()) {
    report.print(console.out, options.form);
    if (options.form.for_people()) console.out << "\n" << stated_text(check);
    return kExitBadPlan;
  }
  const SynchroniseOptions how{.ports = !options.links_only};
  const Synchronisation sync =
      while_waiting(console, "looking for conflicts", [&] { return synchronise(*judged.schedule, how); });
  const uint64_t steps = judged.schedule->figures().steps;
  report.add("steps", with_thousands(steps), steps);
  report_sync(sync, steps == 0 ? 0 : steps - 1, judged.head.problem.topology().num_nodes(), report);
  if (!options.output.empty()) {
    const StateAs as = options.list         ? StateAs::kSignals
                       : options.priorities ? StateAs::kPriorities
                                            : StateAs::kBarriers;
    while_waiting(console, "checking and writing", [&] {
      write_synchronised(judged.head, *judged.schedule, stated(sync, how, as), options.output, console);
    });
    if (!to_pipe) report.add("written", options.output, options.output);
  }
  std::ostream& out = to_pipe ? console.err : console.out;
  report.print(out, options.form);
  if (!options.form.for_people()) return kExitOk;
  if (!check.unchecked.empty()) out << "\n" << stated_text(check);
  if (options.list) print_signals(*judged.schedule, sync, out);
  if (options.priorities) print_priorities(*judged.schedule, sync, out);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<SyncOptions>();
  add_plan_source(app, options->source);
  app.add_flag("--links-only", options->links_only,
               "two transfers may end in one node at once: only links conflict");
  app.add_flag("--signals", options->list, "print the signals, one a line; -o then writes them");
  app.add_flag("--priorities", options->priorities, "the same for the priorities of messages");
  app.add_option("-o,--output", options->output,
                 fmt::format("write the plan with its barriers, or what --signals or --priorities asks for: "
                             "{}, or -",
                             plan_names()))
      ->type_name("FILE");
  add_report_form(app, options->form, kColumns, "print figures and signals as JSON; figures as a row of CSV");
  return [options](Console& console) {
    options->form.require_one();
    options->source.take_plan_word();
    return synchronise_plan(*options, console);
  };
}

}  // namespace
}  // namespace sync_parts

namespace commands {

extern const Command sync;

const Command sync{
    .name = "sync",
    .summary = "what keeps the steps of a schedule apart without a common clock",
    .details =
        "Where nodes go on to their next step as soon as their own sends and receives are over, transfers of "
        "different steps may meet on a link or at a port. Finds the fewest barriers that prevent it, a set "
        "of signals from node to node that do the same and of which none can be left out, and with how few "
        "levels of priority messages of earlier steps would push aside those of later ones. With -o the "
        "barriers, signals or priorities become a part of the plan, which 'quadrille verify' checks and "
        "'quadrille run' obeys.",
    .example =
        R"~($ quadrille sync alltoall "mesh(4,4)" --ports one --switching wormhole --algorithm alltoall_mesh | tail -5
conflicts      92 between transfers of different steps, 76 of them not in order by themselves
barriers       3 at 3 boundaries: after step 1, 2, 3
signals        64 from node to node instead of barriers
priorities     4 levels instead of either
null messages  192 for barriers in software, 64 for signals, none for priorities
)~",
    .setup = sync_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
