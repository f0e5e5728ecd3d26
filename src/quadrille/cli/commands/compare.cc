// quadrille compare: which algorithm is best for messages of which size, on one network or several.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/crew/crew.h"
#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/sizes/sweep_packing.h"
#include "quadrille/cli/report/sizes/sweep_plot.h"
#include "quadrille/cli/report/sizes/sweep_report.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/problem_options.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace compare_parts {
namespace {

// As many as the machine on which a plan is mostly looked for has to spare.
constexpr unsigned kThreads = 2;

struct CompareOptions {
  std::string collective{};
  std::vector<std::string> networks{};
  ProblemOptions part{};  // what of each network takes part, and where a collective starts
  ModelOptions model{};
  std::string bytes = "64:64MiB:4";
  bool csv = false;
  bool json = false;
  std::string plot{};
  bool simulated = false;
  std::string flit = "16";
  const ArgumentParser* app = nullptr;  // knows what was given

  [[nodiscard]] uint64_t flit_bytes() const { return parse_bytes(flit, "--flit"); }
};

void draw(const std::vector<NetworkSweep>& all, const std::string& path) {
  if (std::filesystem::path(path).extension() == ".gnuplot") {
    write_file(path, sweep_plot(all, "svg"));
  } else {
    draw_with_gnuplot(sweep_plot(all, picture_format(path)), path);
  }
}

void print(const NetworkSweep& made, uint64_t flit_bytes, std::ostream& out) {
  Report report;
  report_problem(made.problem, report);
  report.print(out, false);
  out << "\n" << sweep_table(made) << "\n" << regions_text(made);
  if (!made.simulated.empty()) out << "\n" << simulated_text(made.simulated, flit_bytes);
}

std::vector<NetworkSweep> swept_alone(const CompareOptions& options, std::vector<Problem> problems,
                                      const std::vector<uint64_t>& sizes, Console& console) {
  std::vector<NetworkSweep> all;
  for (Problem& problem : problems) {
    Waiting waiting(console, fmt::format("asking all algorithms for {} ({} of {})", problem.title(),
                                         all.size() + 1, problems.size()));
    SizeSweep sweep = sweep_sizes(problem, sizes, kThreads);
    all.push_back({std::move(problem), std::move(sweep)});
  }
  if (!options.simulated) return all;
  for (NetworkSweep& made : all) {
    Waiting waiting(console, fmt::format("simulating {}", made.problem.title()));
    made.simulated = simulate_sweep(made.problem, made.sweep, options.flit_bytes(), kThreads,
                                    [&](uint64_t over) { waiting.made(over, sizes.size(), 0); });
  }
  return all;
}

// The processes of a crew take a network each: what is learnt of an algorithm for one size serves all.
std::vector<NetworkSweep> swept_together(const CompareOptions& options, std::vector<Problem> problems,
                                         const std::vector<uint64_t>& sizes, Console& console) {
  const unsigned threads = console.crew->threads();
  std::vector<SharedSweep> found;
  {
    Waiting waiting(console, fmt::format("asking all algorithms for {}", plural(problems.size(), "network")));
    const auto done = [&](size_t over, size_t of) { waiting.made(over, of, 0); };
    found = shared_parts<SharedSweep>({.crew = console.crew, .done = done}, problems.size(), [&](size_t i) {
      SharedSweep out{.sweep = sweep_sizes(problems[i], sizes, threads)};
      if (options.simulated)
        out.simulated = simulate_sweep(problems[i], out.sweep, options.flit_bytes(), threads, {});
      return out;
    });
  }
  std::vector<NetworkSweep> all;
  for (size_t i = 0; i < found.size(); ++i)
    all.push_back({std::move(problems[i]), std::move(found[i].sweep), std::move(found[i].simulated)});
  return all;
}

int compare(const CompareOptions& options, Console& console) {
  if (options.csv && options.json) throw InputError("--csv and --json: one of them, please");
  if (!options.plot.empty() && std::filesystem::path(options.plot).extension() != ".gnuplot")
    static_cast<void>(picture_format(options.plot, true));
  const CollectiveKind kind = parse_collective_kind(options.collective);
  const std::vector<uint64_t> sizes = parse_byte_sizes(options.bytes, "--bytes");
  Model model = options.model.model(true);
  if (options.model.packets.empty() && !takes_paths(model)) model.packets = Packets::kMany;
  const uint64_t flit_bytes = options.flit_bytes();
  if (flit_bytes == 0) throw InputError("--flit: a flit has at least 1 byte, not 0");
  if (!options.simulated && options.app->count("--flit") > 0)
    throw InputError("--flit: nothing is simulated; give --simulated, too");
  // Whatever is wrong is said before the first is asked.
  std::vector<Problem> problems;
  for (const std::string& network : options.networks) {
    const Topology net = parse_topology(options.part.network_of(network));
    say_remarks(net, console);
    model.cost = options.model.cost.constants(true, net.link_rates());
    require_size_counts(model.cost, options.app->count("--bytes") > 0 ? "--bytes" : "compare");
    problems.push_back(options.part.rest.problem(net, kind, model));
    say_remarks(problems.back().topology(), console, net.remarks().size());
  }
  const std::vector<NetworkSweep> all = console.crew != nullptr
                                            ? swept_together(options, std::move(problems), sizes, console)
                                            : swept_alone(options, std::move(problems), sizes, console);
  if (!options.plot.empty()) draw(all, options.plot);
  Json json = Json::array();
  if (options.csv) console.out << sweep_csv_header(options.simulated);
  for (const NetworkSweep& made : all) {
    if (options.json) {
      json.push(sweep_json(made));
    } else if (options.csv) {
      console.out << sweep_csv(made);
    } else {
      if (&made != &all.front()) console.out << "\n\n";
      print(made, flit_bytes, console.out);
    }
  }
  if (options.json) console.out << json.text();
  if (!options.json && !options.csv && !options.plot.empty())
    console.out << fmt::format("\nwritten       {}\n", options.plot);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<CompareOptions>();
  options->app = &app;
  app.add_option("COLLECTIVE", options->collective, "alltoall, broadcast, ...: `quadrille list collectives`")
      ->required();
  app.add_option("TOPOLOGY...", options->networks, "one or more, such as \"torus(8,8)\" \"mesh(8,8)\"")
      ->repeated()
      ->required();
  app.add_option(
         "--bytes", options->bytes,
         "sizes of messages: 64:64MiB doubles, 64:64MiB:4 (default) takes every fourth power; 1K,1M is a list")
      ->type_name("SIZES")
      ->checked_by([](std::string_view value, std::string_view name) {
        static_cast<void>(parse_byte_sizes(value, name));
      });
  add_part_options(app, options->part);
  add_model_options(app, options->model);
  const char* const who = "node that has, or gets, all (default: first); file of alltoallv's counts";
  app.add_option("--root", options->part.rest.root, who)->type_name("NODE")->group(who);
  app.add_option("--counts", options->part.rest.counts, who)->type_name("FILE")->group(who);
  app.add_option(
         "--plot", options->plot,
         "draw times over sizes with gnuplot: FILE.svg or FILE.png, or write the script: FILE.gnuplot")
      ->type_name("FILE");
  app.add_flag("--simulated", options->simulated,
               "simulate the best plan of each size cycle by cycle, and say where it parts from the formula");
  app.add_option("--flit", options->flit, "with --simulated: bytes of a flit (default 16)")->type_name("B");
  app.add_flag("--csv", options->csv, "a line for every network and size");
  app.add_flag("--json", options->json, "the same as JSON");
  return [options](Console& console) { return compare(*options, console); };
}

}  // namespace
}  // namespace compare_parts

namespace commands {

extern const Command compare;

const Command compare{
    .name = "compare",
    .summary = "which algorithm is best for messages of which size",
    .details =
        "Asks every algorithm, in every number of pieces that may be good, what it takes on each network, and prints "
        "the best for each size with its time, a bound that no plan beats, and the next algorithm. Without a "
        "machine: 1 us to start, links of 100 Gbit/s.",
    .example = R"~($ quadrille compare alltoall "torus(4,4)" --ports one --bytes 64:4MiB:256
topology    torus(4,4): 16 nodes, 64 arcs
collective  alltoall: 256 blocks
model       one-port, packet switching, many packets a step, full duplex
machine     links_100g: 1 us a start-up, 0.08 ns a byte (100 Gbit/s)

message  time, us  / bound  pieces  start-ups  rounds  algorithm
64 B      4.16384    1.000       1          4      32  alltoall_neighbor_exchange; next:
                                                       alltoall_index:6, 1.48 times that
16 KiB     45.943    1.000       1          4      32  alltoall_neighbor_exchange; next:
                                                       alltoall_index:6, 1.044 times that
4 MiB     10741.4    1.000       1          4      32  alltoall_neighbor_exchange; as fast:
                                                       alltoall_index:6

64 B to 4 MiB  alltoall_neighbor_exchange in 1 piece
)~",
    .setup = compare_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
