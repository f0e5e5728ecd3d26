// quadrille transform: makes another plan out of a plan, and judges it.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/compile.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/fault_words.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/delta/plan_delta.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/topology/queries/node_names.h"
#include "quadrille/transforms/compact_steps.h"
#include "quadrille/transforms/concatenate.h"
#include "quadrille/transforms/half_duplex.h"
#include "quadrille/transforms/mend_plan.h"
#include "quadrille/transforms/relabel.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/transforms/split_blocks.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace transform_parts {
namespace {

constexpr CsvColumn kColumns[] = {{"collective", "collective"},
                                  {"network", "topology"},
                                  {"algorithm", "algorithm"},
                                  {"verdict", "verdict"},
                                  {"steps_before", "steps_before"},
                                  {"steps", "steps"},
                                  {"lower_bound", "lower_bound"},
                                  {"optimal", "optimal"},
                                  {"start_ups", "start_ups"},
                                  {"transfers", "transfers"},
                                  {"block_hops", "block_hops"},
                                  {"busiest_link", "busiest_link"},
                                  {"dropped", "dropped"},
                                  {"added", "added"},
                                  {"later", "later"},
                                  {"programs_kept", "programs_kept"}};

struct TransformOptions {
  std::string file{};
  std::string output{};
  std::string image{};
  std::string then{};
  std::optional<uint32_t> parts{};
  bool reverse = false;
  bool half_duplex = false;
  bool compact = false;
  ReportForm form{};
  bool allow_files = false;
  std::vector<std::string> without{};
  std::string delta{};
  std::string delta_to{};

  [[nodiscard]] bool empty() const {
    return without.empty() && delta.empty() && !reverse && image.empty() && !parts && then.empty() &&
           !half_duplex && !compact;
  }
};

// A plan that grows by transforms, and what was done to it, for people.
struct Transformed {
  Problem problem;
  Plan plan;
  std::string story{};

  void become(Problem next, Plan changed, std::string_view how) {
    problem = std::move(next);
    plan = std::move(changed);
    story += fmt::format(", {}", how);
  }
};

// The plan of a file, if it is a good one: a transform of a bad plan says nothing.
std::optional<PlanFile> read_good(const std::string& path, const TransformOptions& options,
                                  Console& console) {
  PlanFile file = read_plan_argument(path, options.allow_files, console);
  const Verdict verdict =
      while_waiting(console, "judging the plan", [&] { return verify(file.problem, file.plan).verdict; });
  if (verdict.passed()) return file;
  console.err << fmt::format("error: {} is no good plan for {}\n{}", path, file.problem.title(),
                             findings_text(verdict));
  return std::nullopt;
}

std::string name_of(const PlanFile& file, const std::string& path) {
  return file.algorithm.empty() ? path : file.algorithm;
}

// What a fault changes: found, or read.
PlanDelta mend(const TransformOptions& options, const PlanFile& file, Transformed& made, Console& console) {
  PlanDelta delta = options.delta.empty()
                        ? while_waiting(console, "mending the plan",
                                        [&] { return mend_plan(file, fault_words(options.without)); })
                        : read_plan_delta(read_file(options.delta), options.delta, file);
  PlanFile mended = with_delta(file, delta);
  made.become(std::move(mended.problem), std::move(mended.plan), "mended");
  return delta;
}

void report_delta(const Problem& base, const PlanDelta& delta, Report& report) {
  const uint64_t nodes = base.topology().num_nodes();
  const uint64_t kept = nodes - nodes_changed(base.topology(), delta);
  report.add_text(
      "delta",
      fmt::format("{} dropped, {} added{}", plural(delta.dropped.num_transfers(), "transfer"),
                  with_thousands(delta.added.num_transfers()),
                  delta.later > 0 ? fmt::format(", the others {} later", plural(delta.later, "step")) : ""));
  report.add_json("dropped", delta.dropped.num_transfers());
  report.add_json("added", delta.added.num_transfers());
  report.add_json("later", uint64_t{delta.later});
  report.add("programs kept", fmt::format("{} of {}", with_thousands(kept), plural(nodes, "node")), kept);
}

// False if the plan to be appended is not a good one.
bool apply(const TransformOptions& options, Transformed& made, Console& console) {
  if (options.reverse) made.become(reversed(made.problem), reverse(made.problem, made.plan), "reversed");
  if (!options.image.empty()) {
    const std::vector<NodeId> image = find_nodes(made.problem.topology(), options.image, "--relabel");
    Problem moved = relabelled(made.problem, image);
    made.become(std::move(moved), relabel(made.problem, made.plan, image), "relabelled");
  }
  if (options.parts) {
    made.become(with_split_blocks(made.problem, *options.parts),
                split_blocks(made.problem, made.plan, *options.parts),
                fmt::format("blocks split into {}", *options.parts));
  }
  if (!options.then.empty()) {
    const std::optional<PlanFile> second = read_good(options.then, options, console);
    if (!second) return false;
    made.become(concatenated(made.problem, second->problem),
                concatenate(made.problem, made.plan, second->problem, second->plan),
                fmt::format("then {}", name_of(*second, options.then)));
  }
  if (options.half_duplex) {
    Problem half = with_half_duplex(made.problem);
    std::optional<Plan> parted = on_half_duplex_links(half, made.plan);
    if (!parted) {
      throw InputError(
          "--half-duplex: a path uses a link in both directions, or contributions go round in one step");
    }
    made.become(std::move(half), *std::move(parted), "made half duplex");
  }
  if (options.compact) {
    Plan compact = compact_steps(made.problem, made.plan);
    made.become(made.problem, std::move(compact), "compacted");
  }
  return true;
}

int transform_plan(const TransformOptions& options, Console& console) {
  if (!options.delta_to.empty() && options.without.empty())
    throw InputError("--delta-to writes what --without changes; say what is dead");
  if (options.empty())
    throw InputError(
        "what to do with the plan? --without, --delta, --reverse, --relabel, --split, --then, --half-duplex, "
        "--compact");
  if (!options.without.empty() && !options.delta.empty())
    throw InputError("--without and --delta: a delta says itself what is dead");
  if (options.file == "-" && options.then == "-")
    throw InputError("FILE and --then: only one of the two plans can come from standard input");
  const bool to_pipe = options.output == "-";
  if (!options.output.empty() && !to_pipe) static_cast<void>(plan_format_of(options.output));
  const std::optional<PlanFile> file = read_good(options.file, options, console);
  if (!file) return kExitBadPlan;
  Transformed made{file->problem, file->plan, name_of(*file, options.file)};
  std::optional<PlanDelta> delta;
  if (!options.without.empty() || !options.delta.empty()) delta = mend(options, *file, made, console);
  if (!apply(options, made, console)) return kExitBadPlan;
  TerminalProgress progress(console);

  Report report;
  report_problem(made.problem, report);
  report.add("algorithm", made.story, made.story);
  const Compiled judged =
      judge_plan({{made.problem, plain_name(made.story)}, std::move(made.plan)}, {.progress = &progress});
  if (judged.good()) {
    const Figures& figures = judged.verdict.figures;
    if (delta) report_delta(file->problem, *delta, report);
    report.add("steps before", with_thousands(file->plan.num_steps()), file->plan.num_steps());
    report_figures(judged, report);
    if (delta && !options.delta_to.empty()) {
      FileWriter writer(options.delta_to);
      writer.write(write_plan_delta(file->problem, *delta));
      writer.commit();
    }
    if (!options.output.empty()) {
      PlanHead head = judged.head;
      head.stated_figures = {.steps = figures.steps, .start_ups = figures.start_ups};
      const Plan& plan = judged.schedule->plan();
      if (to_pipe) {
        console.out << write_plan(PlanFile{head, plan}, plain_plan_format());
      } else {
        write_plan_file(options.output, head, plan);
      }
    }
  }
  report_verdict(made.problem, judged.verdict, report);
  if (judged.verdict.passed() && !options.output.empty() && !to_pipe)
    report.add("written", options.output, options.output);
  std::ostream& out = to_pipe ? console.err : console.out;
  report.print(out, options.form);
  if (!judged.verdict.passed() && options.form.for_people()) out << "\n" << findings_text(judged.verdict);
  return judged.verdict.passed() ? kExitOk : kExitBadPlan;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<TransformOptions>();
  app.add_option("FILE", options->file, "a good plan; - for standard input")->required();
  app.add_option("--without", options->without,
                 "mended: \"link A B\" or \"node A\" is dead; again for more; @FILE: one a line")
      ->repeated()
      ->type_name("FAULT");
  constexpr const char* kDeltas = "mended as a delta says; where to write what --without changes";
  app.add_option("--delta", options->delta, kDeltas)->type_name("FILE")->group(kDeltas);
  app.add_option("--delta-to", options->delta_to, kDeltas)->type_name("FILE")->group(kDeltas);
  app.add_flag("--reverse", options->reverse,
               "backwards, over the links turned round: scatter becomes gather, broadcast reduce");
  app.add_option("--relabel", options->image,
                 "by a symmetry of the network: where nodes 0, 1, ... go, as in 1-7,0")
      ->type_name("NODES");
  app.add_option("--split", options->parts, "every block cut into K, which follow one another")
      ->range(1, kMaxIds - 1)
      ->type_name("K");
  app.add_option("--then", options->then,
                 "and after it this plan, or -: reduce and broadcast make an allreduce, for example")
      ->type_name("FILE");
  app.add_flag("--half-duplex", options->half_duplex,
               "on links that carry one direction at a time: every step in two");
  app.add_flag("--compact", options->compact, "every transfer as early as the rules allow");
  app.add_option("-o,--output", options->output, fmt::format("write the new plan: {}, or -", plan_names()))
      ->type_name("FILE");
  add_allow_files_option(app, options->allow_files);
  add_report_form(app, options->form, kColumns, "print figures as JSON; as a row of CSV");
  return [options](Console& console) {
    options->form.require_one();
    return transform_plan(*options, console);
  };
}

}  // namespace
}  // namespace transform_parts

namespace commands {

extern const Command transform;

const Command transform{
    .name = "transform",
    .summary = "make another plan out of a plan, and judge it",
    .details =
        "Reads a plan, judges it, and makes another one of it: mended, reversed, relabelled, split, followed by a "
        "second plan, compacted, in this order. What comes out is judged like any plan, and held against the "
        "lower bounds of its own problem. What a file states of its synchronisation does not carry over.",
    .example = R"~($ quadrille plan broadcast "line(5)" -o line.plan | tail -1
written       line.plan
$ quadrille transform line.plan --split 3 --compact -o flowing.plan
topology      line(5): 5 nodes, 8 arcs
collective    broadcast: 3 blocks (3 pieces each), root 0
model         all-port, packet switching, full duplex
algorithm     broadcast_bfs_tree, blocks split into 3, compacted
steps before  4
steps         6
lower bound   6 by quickest_flow: over the best path to 4, of 4 hops, 5 steps bring 2 of 3 pieces
quality       optimal: no plan takes fewer steps
start-ups     6
transfers     12
block hops    12
busiest link  3 blocks, first over 0 > 1
verdict       verified: 15 rules, no violations
written       flowing.plan
)~",
    .setup = transform_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
