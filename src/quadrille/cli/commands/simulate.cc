// quadrille simulate: what a schedule does cycle by cycle, where nodes drift and flits compete.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "quadrille/base/crew/crew.h"
#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/pictures/simulation_pictures.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/stated_report.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/cli/simulation_report.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/options/simulation_options.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/schedule/shared/shared_plan.h"
#include "quadrille/sim/channels/channel_dependencies.h"
#include "quadrille/sim/chrome_trace.h"
#include "quadrille/sim/packet_simulator.h"
#include "quadrille/sim/routing_table.h"
#include "quadrille/sim/simulation.h"
#include "quadrille/sim/urgency.h"

namespace quadrille {
namespace simulate_parts {
namespace {

constexpr unsigned kThreads = 2;

struct SimulateOptions {
  PlanSourceOptions source{};
  SimulationOptions run{};
  std::string routes{};
  std::string trace{};
  std::string heat_map{};
  std::string space_time{};
  std::string page{};
  ReportForm form{};
};

// Of one run; of several seeds the last ones.
constexpr CsvColumn kColumns[] = {{"collective", "collective"},
                                  {"network", "topology"},
                                  {"algorithm", "algorithm"},
                                  {"verdict", "verdict"},
                                  {"messages", "messages"},
                                  {"kept_apart_by", "kept_apart_by"},
                                  {"cycles", "time"},
                                  {"time_us", "time_us"},
                                  {"deadlock", "deadlock"},
                                  {"contention", "contention"},
                                  {"channel_waits", "channel_waits"},
                                  {"switch_conflicts", "switch_conflicts"},
                                  {"flit_hops", "simulated"},
                                  {"stalls", "stalls"},
                                  {"seeds", "seeds"},
                                  {"deadlocks", "deadlocks"},
                                  {"shortest", "shortest"},
                                  {"mean", "mean"},
                                  {"longest", "longest"}};

void trace_to(const SimulateOptions& options, const Traffic& traffic, const WormResult& result,
              const std::vector<ChannelUse>& uses, uint32_t lanes, Report& report) {
  FileWriter file(options.trace);
  std::string buffer;
  const auto write = [&](std::string_view part) {
    buffer += part;
    if (buffer.size() < (1U << 20U)) return;
    file.write(buffer);
    buffer.clear();
  };
  const uint64_t left_out =
      write_chrome_trace(traffic, result, uses, {.cycle_ns = options.run.cycle_ns(), .vcs = lanes}, write);
  file.write(buffer);
  file.commit();
  report.add("written",
             left_out == 0 ? options.trace
                           : fmt::format("{}, without the last {} that a viewer would not take",
                                         options.trace, plural(left_out, "slice")),
             options.trace);
}

void draw(const SimulateOptions& options, const Traffic& traffic, const WormResult& result,
          const std::vector<ChannelUse>& uses, const PlanSynchronisation& sync, const Compiled& judged,
          Report& report) {
  const std::string title = fmt::format("{}, {}", judged.head.problem.title(), judged.head.algorithm);
  if (!options.heat_map.empty()) {
    write_file(options.heat_map, heat_map_of(traffic, result, title));
    report.add("heat map", options.heat_map, options.heat_map);
  }
  if (!options.space_time.empty()) {
    write_file(options.space_time, space_time_of(traffic, result, uses, sync, options.run.cycle_ns(), title));
    report.add("space-time", options.space_time, options.space_time);
  }
  if (!options.page.empty()) {
    const uint64_t bytes = options.source.problem.message_bytes().value_or(kDefaultMessageBytes);
    write_file(options.page, page_of(judged, traffic, uses, options.run.cycle_ns(), bytes));
    report.add("page", options.page, options.page);
  }
}

void check_picture(const std::string& path, std::string_view option) {
  if (!path.empty() && !path.ends_with(".svg"))
    throw InputError(fmt::format("{}: '{}' must end in .svg", option, path));
}

// The messages of the plan go other ways; whether these can wait for each other is asked of the table itself.
void route_by_file(const SimulateOptions& options, Traffic& traffic, Report& report) {
  const RoutingTable table = RoutingTable::read(traffic.network, read_file(options.routes), options.routes);
  route_by(table, traffic);
  const DependencyCheck check =
      check_dependencies(traffic.network, Routes::kTable, options.run.worms.vcs, &table);
  report.add("routes",
             fmt::format("by the table of {}, {}", options.routes,
                         check.acyclic ? "which cannot deadlock" : "by which worms may wait in a circle"),
             options.routes);
}

// What takes long is said before.
void announce(double seconds, std::string_view what, Console& console) {
  constexpr double kHour = 3600.0;
  if (seconds > kHour)
    console.err << fmt::format("note: {} takes about {:.0f} hours\n", what, std::ceil(seconds / kHour));
}

int run_one(const SimulateOptions& options, const Traffic& traffic, WormRun run, const Compiled& judged,
            Report& report, Console& console) {
  std::vector<ChannelUse> uses;
  if (!options.trace.empty() || !options.space_time.empty() || !options.page.empty()) run.uses = &uses;
  const auto say = [&](double seconds) {
    announce(seconds, fmt::format("flit by flit, {} flit-hops,", with_thousands(traffic.flit_hops())),
             console);
  };
  if (options.run.store_and_forward) announce(estimated_packet_seconds(traffic), "packet by packet", console);
  const Simulation done = while_waiting(console, "simulating", [&] {
    return options.run.store_and_forward
               ? simulate_packets(traffic, PacketParameters::as_worms(options.run.worms), run)
               : simulate(traffic, options.run.worms, run, {.before_flits = say});
  });
  report_simulation(traffic, done, options.run.cycle_ns(), report);
  if (!options.trace.empty()) {
    const uint32_t levels = Urgency(traffic, run.synchronisation.priorities).levels();
    trace_to(options, traffic, done.result, uses,
             options.run.store_and_forward ? 1 : options.run.worms.vcs * levels, report);
  }
  draw(options, traffic, done.result, uses, run.synchronisation, judged, report);
  report.print(console.out, options.form);
  if (!done.result.deadlock) return kExitOk;
  if (options.form.for_people()) console.out << "\n" << deadlock_text(traffic, *done.result.deadlock);
  return kExitBadPlan;
}

int run_seeds(const SimulateOptions& options, const Traffic& traffic, const WormRun& run, Report& report,
              Console& console) {
  if (!options.trace.empty() || !options.heat_map.empty() || !options.space_time.empty() ||
      !options.page.empty())
    throw InputError(
        "--seeds: --trace, --heat-map, --space-time and --page show one run; leave out --seeds, or name one --seed");
  const bool packets = options.run.store_and_forward;
  const double one =
      packets ? estimated_packet_seconds(traffic) : estimated_seconds(traffic, options.run.worms, run);
  announce(one * static_cast<double>(options.run.seeds) / kThreads,
           packets ? "packet by packet" : "each seed flit by flit, if worms meet in all,", console);
  SeedSweep sweep;
  {
    Waiting waiting(console, "simulating");
    const Sharing how{kThreads, console.crew, [&](size_t over, size_t of) { waiting.made(over, of, 0); }};
    sweep = packets ? sweep_packet_seeds(traffic, PacketParameters::as_worms(options.run.worms), run,
                                         options.run.seeds, how)
                    : sweep_seeds(traffic, options.run.worms, run, options.run.seeds, how);
  }
  report_seeds(sweep, options.run.cycle_ns(), report);
  report.print(console.out, options.form);
  return sweep.deadlocks == 0 ? kExitOk : kExitBadPlan;
}

// Processes of a crew have the plan of a file from the first of them, who alone simulates one run. Seeds they share, and each needs the steps.
Compiled judged_plan(const SimulateOptions& options, Wishes wishes, Console& console) {
  if (console.crew == nullptr || options.source.plan.empty())
    return compile(plan_source(options.source, "simulate", console), wishes);
  const bool as_it_comes = options.source.plan != "-";
  const auto read = [&](PlanListener* listener) {
    if (!as_it_comes || listener == nullptr)
      return std::get<PlanFile>(plan_source(options.source, "simulate", console));
    return std::get<PlanFile>(
        plan_source(options.source, "simulate", [listener](const std::string& path, GraphFiles files) {
          return read_plan_file(path, files, *listener);
        }));
  };
  SharedPlan shared(*console.crew, read, graph_files(options.source.allow_files));
  wishes.by_first_alone = options.run.seeds == 0;
  return judge_plan(shared, wishes);
}

int simulate_judged(const SimulateOptions& options, const Compiled& judged, Report& report,
                    Console& console) {
  const uint32_t stall = options.run.stall_cycles();
  const uint64_t bytes = options.source.problem.message_bytes().value_or(kDefaultMessageBytes);
  Traffic traffic = options.run.traffic(judged, bytes);
  if (!options.routes.empty()) route_by_file(options, traffic, report);
  KeptApart apart = while_waiting(console, "looking for conflicts",
                                  [&] { return options.run.kept_apart(judged, traffic.steps); });
  report_setting(traffic, options.run.worms, options.run.flit_bytes(), options.run.store_and_forward, report);
  report.add("kept apart by", apart.text, apart.text);
  WormRun run = options.run.run(std::move(apart));
  if (stall > 0)
    report.add("stalls",
               fmt::format("0 to {} cycles before each step, {} {}", with_thousands(stall),
                           options.run.seeds > 0 ? "seeds from" : "seed", options.run.seed),
               stall);
  return options.run.seeds > 0 ? run_seeds(options, traffic, run, report, console)
                               : run_one(options, traffic, std::move(run), judged, report, console);
}

int simulate_plan(const SimulateOptions& options, Console& console) {
  options.run.require_sound();
  static_cast<void>(options.run.stall_cycles());
  check_picture(options.heat_map, "--heat-map");
  check_picture(options.space_time, "--space-time");
  TerminalProgress progress(console);
  Wishes wishes = options.source.wishes();
  wishes.progress = &progress;
  wishes.crew = console.crew;
  const Compiled judged = judged_plan(options, wishes, console);
  const Problem& problem = judged.head.problem;
  Report report;
  report_problem(problem, report);
  report.add("algorithm", maker_of(options.source, judged), judged.head.algorithm);
  if (!judged.good()) {
    report_verdict(problem, judged.verdict, report);
    report.print(console.out, options.form);
    if (options.form.for_people())
      console.out << "\n" << findings_text(judged.verdict) << stated_text(judged.stated);
    return kExitBadPlan;
  }
  const auto simulated = [&] { return simulate_judged(options, judged, report, console); };
  if (console.crew == nullptr || options.run.seeds > 0) return simulated();
  return done_by_first<int>(*console.crew, simulated);
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<SimulateOptions>();
  add_plan_source(app, options->source);
  add_bytes_option(app, options->source.problem.bytes);
  add_simulation_options(app, options->run);
  app.add_option("--routes", options->routes, "a routing table instead of the plan's paths")
      ->type_name("FILE");
  const char* pictures = "write a timeline for Perfetto, as JSON; draw how busy links are, as SVG";
  app.add_option("--trace", options->trace, pictures)->type_name("FILE")->group(pictures);
  app.add_option("--heat-map", options->heat_map, pictures)->type_name("FILE")->group(pictures);
  const char* in_time = "draw which step holds which link when, as SVG; the same as a page";
  app.add_option("--space-time", options->space_time, in_time)->type_name("X")->group(in_time);
  app.add_option("--page", options->page, in_time)->type_name("X")->group(in_time);
  constexpr const char* kForms = "print figures as JSON; as a row of CSV";
  app.add_flag("--json", options->form.json, kForms)->group(kForms);
  app.add_flag("--csv", options->form.csv, kForms)->group(kForms);
  options->form.columns = kColumns;
  return [options](Console& console) {
    options->form.require_one();
    options->source.take_plan_word();
    return simulate_plan(*options, console);
  };
}

}  // namespace
}  // namespace simulate_parts

namespace commands {

extern const Command simulate;

const Command simulate{
    .name = "simulate",
    .summary = "a schedule cycle by cycle, flit by flit: time, contention, deadlock",
    .details =
        "Runs a plan on a simulated network by the rules of docs/simulation.md: routers with virtual channels and credits, "
        "nodes that stall and have no common clock. Says when the last message is there, how busy links are, who competes "
        "with whom and, where nothing moves any more, who waits for whom.",
    .example =
        R"~($ quadrille simulate alltoall "mesh(4,4)" --ports one --switching wormhole --algorithm alltoall_mesh --stall 100cycles | tail -3
contention     none
links          42.2 % busy on average, 42.2 % at most ((0,0)->(0,1)), 0 idle
simulated      whole worms, which never meet; 49,152 flit-hops
)~",
    .setup = simulate_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
