// quadrille view: a plan as a page that a browser opens, of a stranger's too, and of one that the judge rejects.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/stated_report.h"
#include "quadrille/cli/report/synchronisation_report.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/compile.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/viewer/page_plan.h"
#include "quadrille/viewer/view_page.h"

namespace quadrille {
namespace view_parts {
namespace {

constexpr CsvColumn kColumns[] = {{"collective", "collective"},     {"network", "topology"},
                                  {"algorithm", "algorithm"},       {"verdict", "verdict"},
                                  {"violations", "total_findings"}, {"steps", "steps"},
                                  {"lower_bound", "lower_bound"},   {"optimal", "optimal"},
                                  {"transfers", "transfers"},       {"written", "written"}};

struct ViewOptions {
  PlanSourceOptions source{};
  std::vector<std::string> beside{};
  std::string steps{};
  std::string nodes{};
  ReportForm form{};
  std::string output{};
};

// "0:200": the first 200.
struct Range {
  uint64_t from = 0;
  uint64_t to = UINT64_MAX;
};

Range parse_range(const std::string& text, std::string_view option, uint64_t most) {
  if (text.empty()) return {.from = 0, .to = most};
  const size_t colon = std::min(text.find(':'), text.size() - 1);
  const auto from = whole_number(std::string_view(text).substr(0, colon));
  const auto to = whole_number(std::string_view(text).substr(colon + 1));
  if (!from || !to || *from >= *to || *to > most)
    throw InputError(fmt::format("{}: '{}' is no range; write 0:200 for the first 200", option, text));
  return {.from = *from, .to = *to};
}

PageSelection selection_of(const ViewOptions& options) {
  const Range steps = parse_range(options.steps, "--steps", UINT64_MAX);
  const Range nodes = parse_range(options.nodes, "--nodes", UINT32_MAX);
  return {.first_step = steps.from,
          .end_step = steps.to,
          .first_node = static_cast<uint32_t>(nodes.from),
          .end_node = static_cast<uint32_t>(nodes.to)};
}

// A plan that was made or read, judged, and packed on the way.
struct Viewed {
  Compiled judged;
  Verdict verdict;
  std::unique_ptr<PageColumns> steps;
};

Viewed view(PlanSource source, Wishes wishes, const PageSelection& selection) {
  wishes.stored = false;
  wishes.rearranged_by_step = wishes.bytes.has_value();
  const auto watched = [&](const Problem& problem) {
    auto steps = std::make_unique<PageColumns>(problem, selection, wishes.bytes);
    wishes.steps_to = steps.get();
    return steps;
  };
  const auto with_verdict = [](Compiled judged, std::unique_ptr<PageColumns> steps) {
    Verdict verdict = verdict_with_synchronisation(judged);
    if (judged.rearranged_before) steps->rearrange(*judged.rearranged_before);
    return Viewed{.judged = std::move(judged), .verdict = std::move(verdict), .steps = std::move(steps)};
  };
  if (auto* file = std::get_if<PlanFile>(&source)) {
    auto steps = watched(file->problem);
    return with_verdict(judge_plan(std::move(*file), wishes), std::move(steps));
  }
  const Decision decision = decide(std::get<Problem>(source), wishes);
  auto steps = watched(decision.head.problem);
  return with_verdict(compile(decision, wishes), std::move(steps));
}

void report_viewed(const Viewed& viewed, const std::string& maker, Report& report) {
  const Problem& problem = viewed.judged.head.problem;
  report_problem(problem, report);
  if (!maker.empty()) report.add("algorithm", maker, viewed.judged.head.algorithm);
  if (viewed.judged.verdict.passed()) report_figures(viewed.judged, report);
  report_verdict(problem, viewed.verdict, report);
}

// A picture's or a plan's name for a page would be a slip.
void require_page_name(const std::string& output) {
  for (const std::string_view other : {".svg", ".png", ".pdf"})
    if (output.ends_with(other))
      throw InputError(
          fmt::format("-o: '{}' is no page; a page ends in .html; `quadrille draw` makes pictures", output));
  for (const std::string_view other : {".plan", ".json"})
    if (output.ends_with(other))
      throw InputError(
          fmt::format("-o: '{}' is no page; a page ends in .html; `quadrille plan -o` writes plans", output));
}

// What was selected must be there; only when the plan is made it is known how many steps it has.
void require_something(const ViewOptions& options, const PageSelection& selection, const Viewed& viewed) {
  const uint64_t steps = viewed.steps->total_steps();
  if (!options.steps.empty() && selection.first_step >= steps)
    throw InputError(fmt::format("--steps: there is no step {}; the plan has {}",
                                 with_thousands(selection.first_step + 1), plural(steps, "step")));
  const uint32_t nodes = viewed.judged.head.problem.topology().num_nodes();
  if (!options.nodes.empty() && selection.first_node >= nodes)
    throw InputError(fmt::format("--nodes: there is no node {}; the network has {}, counted from 0",
                                 with_thousands(selection.first_node), plural(nodes, "node")));
}

int view_plans(ViewOptions options, Console& console) {
  require_page_name(options.output);
  options.form.require_one();
  options.source.take_plan_word();
  const PageSelection selection = selection_of(options);
  TerminalProgress progress(console);
  Wishes wishes = options.source.wishes();
  wishes.progress = &progress;
  std::vector<Viewed> viewed;
  viewed.push_back(view(plan_source(options.source, "view", console), wishes, selection));
  require_something(options, selection, viewed[0]);
  if (options.beside.size() >= kMostPagePlans)
    throw InputError(fmt::format("--beside: {} plans beside the first; a page shows at most {}",
                                 options.beside.size(), kMostPagePlans - 1));
  for (const std::string& file : options.beside)
    viewed.push_back(view(read_plan_argument(file, options.source.allow_files, console), wishes, selection));

  bool good = true;
  std::vector<PagePlan> plans;
  Report report;
  for (const Viewed& one : viewed) {
    good &= one.judged.good();
    plans.push_back(page_plan(one.judged, *one.steps, one.verdict, wishes.bytes));
    if (std::string stated = stated_text(one.judged.stated); !stated.empty())
      plans.back().notes.push_back(std::move(stated));
  }
  report_viewed(viewed[0], maker_of(options.source, viewed[0].judged), report);
  std::string beside;
  for (size_t i = 1; i < viewed.size(); ++i)
    beside += fmt::format("{}{}: {}", i > 1 ? ", " : "", options.beside[i - 1],
                          plural(viewed[i].verdict.figures.steps, "step"));
  if (!beside.empty()) report.add("beside", beside, beside);
  const std::string page = while_waiting(console, "writing the page", [&] { return view_page(plans); });
  const bool to_pipe = options.output == "-";
  if (to_pipe) {
    console.out << page;
  } else {
    write_file(options.output, page);
    report.add("written", fmt::format("{}, {} bytes", options.output, with_thousands(page.size())),
               options.output);
  }
  std::ostream& out = to_pipe ? console.err : console.out;
  report.print(out, options.form);
  for (const Viewed& one : viewed)
    if (const std::string remarks = findings_text(one.verdict) + stated_text(one.judged.stated);
        options.form.for_people() && !remarks.empty())
      out << "\n" << remarks;
  return good ? kExitOk : kExitBadPlan;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ViewOptions>();
  add_plan_source(app, options->source);
  add_bytes_option(app, options->source.problem.bytes);
  app.add_option("--beside", options->beside, "another plan, shown side by side and in step; again for more")
      ->repeated()
      ->type_name("FILE");
  app.add_option("--steps", options->steps, "some steps alone: 0:200 for the first 200")
      ->type_name("FROM:TO");
  app.add_option("--nodes", options->nodes, "only what some nodes send and receive: 0:16 for the first 16")
      ->type_name("FROM:TO");
  app.add_option("-o,--output", options->output, "the page, or - ; open it in a browser")
      ->required()
      ->type_name("FILE.html");
  add_report_form(app, options->form, kColumns,
                  "print what was written, and the figures, as JSON; as a row of CSV");
  return [options](Console& console) { return view_plans(*options, console); };
}

}  // namespace
}  // namespace view_parts

namespace commands {

extern const Command view;

const Command view{
    .name = "view",
    .summary = "write a plan as a page to look at in a browser",
    .details =
        "Makes or reads a plan (`quadrille view FILE -o page.html` for one that is there), judges it, and writes one page "
        "that a browser opens without a network or a server: the network, a step at a time, links against steps, what "
        "each node and link does, the way of each block, what the lower bound rests on. Of a plan that the judge rejects it "
        "shows every finding at its step and link; exit status 1, as with `quadrille verify`. What the page shows is in its "
        "address, so any view of it is a link.",
    .example = R"~($ quadrille view alltoall "torus(4,4)" -o page.html | grep verdict
verdict       verified: 15 rules, no violations
)~",
    .setup = view_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
