// quadrille faults: what a dead link, or node, costs a collective, for every one or many at random.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/base/value_error.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/interruption.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/fault_report.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/collective/collective.h"
#include "quadrille/compile/faults/fault_sweep.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/problem_options.h"

namespace quadrille {
namespace faults_parts {
namespace {

constexpr unsigned kThreads = 2;
constexpr size_t kRows = 20;

struct FaultsOptions {
  ProblemOptions problem{};
  std::string links{};
  std::string nodes{};
  uint32_t at_once = 1;
  uint64_t seed = 1;
  std::string algorithm = "auto";
  std::string plot{};
  bool csv = false;
  bool json = false;
};

FaultQuestion question_of(const FaultsOptions& options) {
  FaultQuestion out;
  const bool nodes = !options.nodes.empty();
  out.what = nodes ? FaultWhat::kNodes : FaultWhat::kLinks;
  const std::string& given = nodes ? options.nodes : options.links;
  const char* const name = nodes ? "--nodes" : "--links";
  if (!given.empty() && given != "all") {
    out.draws = whole_number(given);
    if (!out.draws || *out.draws == 0)
      throw InputError(
          fmt::format("{}: '{}' is given; allowed is all or a whole number from 1 on", name, given));
  }
  out.at_once = options.at_once;
  if (out.at_once > 1 && !out.draws) {
    throw InputError(fmt::format("--at-once {}: sets of so many are drawn at random; say how many with {} N",
                                 out.at_once, name));
  }
  out.seed = options.seed;
  out.threads = kThreads;
  out.wishes.algorithm = options.algorithm;
  out.wishes.stored = false;  // figures are all that is asked for
  out.wishes.same_at_all_nodes = true;
  out.wishes.bytes = options.problem.message_bytes();
  out.wishes.any_pieces = options.problem.any_pieces();
  out.wishes.any_packets = options.problem.any_packets();
  return out;
}

bool names_collective(const std::string& text) {
  try {
    static_cast<void>(parse_collective_kind(text));
    return true;
  } catch (const ValueError&) {
    return false;
  }
}

int faults(const FaultsOptions& options, Console& console) {
  if (options.csv && options.json) throw InputError("--csv and --json: one of them, please");
  const bool script = std::filesystem::path(options.plot).extension() == ".gnuplot";
  if (!options.plot.empty() && !script) static_cast<void>(picture_format(options.plot, true));
  FaultQuestion question = question_of(options);
  const Problem problem = options.problem.problem();
  say_remarks(problem.topology(), console);
  FaultSweep sweep;
  {
    Waiting waiting(console, fmt::format("planning {} without this and that", problem.title()));
    question.crew = console.crew;
    question.done = [&waiting](size_t done, size_t of) { waiting.made(done, of, 0); };
    const StopsSearches at_interrupt(
        "\nno further case is tried: those that are finished are shown (Ctrl-C again ends the program)\n");
    sweep = sweep_faults(problem, question);
  }
  if (!options.plot.empty()) {
    if (script) {
      write_file(options.plot, fault_plot(problem, sweep, "svg"));
    } else {
      draw_with_gnuplot(fault_plot(problem, sweep, picture_format(options.plot)), options.plot);
    }
  }
  if (options.csv) {
    console.out << fault_csv(sweep);
  } else if (options.json) {
    console.out << fault_json(problem, sweep).text();
  } else {
    Report report;
    report_problem(problem, report);
    report.print(console.out, false);
    console.out << fault_text(problem, sweep, kRows);
    if (!options.plot.empty()) console.out << fmt::format("\nwritten     {}\n", options.plot);
  }
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<FaultsOptions>();
  add_problem_options(app, options->problem);
  Argument* links =
      app.add_option("--links", options->links, "all (default): each link alone; N: N of them, at random");
  links->type_name("N");
  app.add_option("--nodes", options->nodes, "the same for nodes")->type_name("N")->excludes(links);
  app.add_option("--at-once", options->at_once,
                 "faults of a case (default 1); more than one are drawn at random")
      ->range(1, UINT32_MAX)
      ->type_name("K");
  app.add_option("--seed", options->seed, "which random ones (default 1)")->type_name("S");
  app.add_option("--algorithm", options->algorithm, "auto (default), or NAME")->type_name("NAME");
  app.add_option("--bytes", options->problem.bytes,
                 "size of a block, or of the vector: compares times, not steps")
      ->type_name("B");
  app.add_option("--plot", options->plot,
                 "draw what each costs: FILE.svg, FILE.png, or the script FILE.gnuplot")
      ->type_name("FILE");
  app.add_flag("--csv", options->csv, "a line for every case, the healthy network first");
  app.add_flag("--json", options->json, "the same as JSON");
  return [options](Console& console) {
    ProblemOptions& problem = options->problem;
    if (!names_collective(problem.collective) && names_collective(problem.topology))
      std::swap(problem.collective, problem.topology);  // the network first
    return faults(*options, console);
  };
}

}  // namespace
}  // namespace faults_parts

namespace commands {

extern const Command faults;

const Command faults{
    .name = "faults",
    .summary = "what a dead link or node costs a collective",
    .details =
        "Plans the collective anew for the network without each link, or node, has every plan judged, and lists what costs "
        "most, with a bound for what is left. Links that a symmetry takes to each other are tried once. The network may come first. Where nodes are "
        "cut off, the others go on among themselves; such cases are listed apart. Ctrl-C ends it with the cases that are finished. `plan --without` makes the plan of one case.",
    .example = R"~($ quadrille faults alltoall "torus(4,4)"
topology    torus(4,4): 16 nodes, 64 arcs
collective  alltoall: 256 blocks
model       all-port, packet switching, full duplex
healthy     8 steps by alltoall_product_rounds, at least 8
faults      32 cases tried: 25.0 % longer on average, 25.0 % at worst; all proved optimal

steps  bound  loss    algorithm                out of order
   10     10  25.0 %  alltoall_balanced_paths  link (0,0) (0,1), and 15 like it
   10     10  25.0 %  alltoall_balanced_paths  link (0,0) (1,0), and 15 like it
)~",
    .setup = faults_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
