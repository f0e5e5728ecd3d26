// quadrille draw: pictures of networks and plans, for papers and terminals.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/pictures/svg_picture.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/compile.h"
#include "quadrille/draw/schedule_pictures.h"
#include "quadrille/draw/svg.h"
#include "quadrille/layout/network_layout.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace draw_parts {
namespace {

constexpr CsvColumn kColumns[] = {{"picture", "picture"}, {"written", "written"}};

struct DrawOptions {
  PlanSourceOptions source{};
  std::string output{};
  uint64_t step = 0;
  std::string steps{};
  bool space_time = false;
  bool load = false;
  bool histogram = false;
  bool witness = false;
  bool ascii = false;
  bool no_labels = false;
  ReportForm form{};
  uint64_t width = 245;
  std::vector<std::string> beside{};  // files of plans

  [[nodiscard]] NetworkStyle style() const {
    return {.width = static_cast<double>(width), .labels = !no_labels};
  }
};

// A picture, as SVG or as characters, and what it shows.
struct Picture {
  std::string content{};
  std::string what{};
  bool good = true;  // it shows no finding
};

// --- what is asked for ---------------------------------------------------------------------------------

// Steps after the first number, up to the second: 0:8 are the first eight.
struct StepRange {
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;
};

StepRange range_of(const DrawOptions& options) {
  if (options.source.app->count("--step") > 0) return {options.step - 1, options.step};
  if (options.steps.empty()) return {};
  StepRange out;
  const char* const end = options.steps.data() + options.steps.size();
  const auto [colon, first_error] = std::from_chars(options.steps.data(), end, out.first);
  const bool colon_there = first_error == std::errc{} && colon != end && *colon == ':';
  const auto last = colon_there ? std::from_chars(colon + 1, end, out.last)
                                : std::from_chars_result{end, std::errc::invalid_argument};
  if (last.ec != std::errc{} || last.ptr != end || out.first >= out.last)
    throw InputError(
        fmt::format("--steps: '{}' is no range such as 0:8, the first eight steps, or 8:12, the next four",
                    options.steps));
  return out;
}

void require_one_picture(const DrawOptions& options) {
  std::vector<std::string> given;
  if (options.source.app->count("--step") > 0) given.emplace_back("--step");
  if (options.space_time) given.emplace_back("--space-time");
  if (options.load) given.emplace_back("--load");
  if (options.histogram) given.emplace_back("--histogram");
  if (options.witness) given.emplace_back("--witness");
  if (!options.beside.empty() &&
      (options.space_time || options.histogram || options.witness || options.ascii))
    throw InputError("--beside: plans side by side are shown by their loads or steps, as SVG, PNG or PDF");
  if (given.size() > 1) throw InputError(fmt::format("{}: one picture at a time", join(given, " and ")));
  if (options.source.app->count("--step") > 0 && !options.steps.empty())
    throw InputError("--step is one step, --steps are several: give one of them");
  if (options.output.empty() && !options.ascii)
    throw InputError("where to? give -o FILE.svg (or .png, .pdf), or --ascii for this terminal");
  if (options.ascii && (options.load || options.histogram || options.witness))
    throw InputError("--ascii shows a network, a step or --space-time; loads and witnesses need -o FILE.svg");
  if (!options.output.empty() && !options.ascii) static_cast<void>(drawing_format(options.output));
  options.form.require_one();
  if (options.output.empty() && !options.form.for_people())
    throw InputError(
        fmt::format("--{} says what was written: give -o FILE", options.form.csv ? "csv" : "json"));
}

// --- pictures ------------------------------------------------------------------------------------------

Picture network_alone(const DrawOptions& options, const Topology& topology) {
  for (const char* other : {"--step", "--steps", "--space-time", "--load", "--histogram", "--witness"})
    if (options.source.app->count(other) > 0)
      throw InputError(
          fmt::format("{} is of a plan: give a COLLECTIVE and a TOPOLOGY, or a plan's file", other));
  require_drawable(topology);
  const NetworkLayout layout = layout_of(topology);
  const NetworkScene scene{.topology = topology, .layout = layout};
  return {options.ascii ? network_text(scene) : network_svg(scene, options.style()), topology.name()};
}

Picture witness_picture(const DrawOptions& options, const Problem& problem) {
  const Bound bound = best_bound(problem);
  const NetworkLayout layout = layout_of(problem.topology());
  NetworkScene scene = bound.evidence ? witness_scene(problem.topology(), layout, *bound.evidence)
                                      : scene_at_rest(problem, layout);
  scene.note =
      fmt::format("{} at least, by {}: {}", plural(static_cast<uint64_t>(bound.value.ceil()), "step"),
                  bound.name, bound.witness);
  return {network_svg(scene, options.style()), fmt::format("witness of {}", bound.name)};
}

// What of a plan is drawn: steps, and what is wrong with them.
class PlanPictures {
 public:
  PlanPictures(const DrawOptions& options, const Problem& problem, const Plan& plan,
               std::vector<Finding> findings)
      : options_(options),
        findings_(std::move(findings)),
        layout_(layout_of(problem.topology())),
        range_(range_of(options)),
        record_(problem, range_.first, range_.last) {
    plan.replay(record_);
    const bool some = options.source.app->count("--step") > 0 || !options.steps.empty();
    if (some && record_.first() >= record_.last() && options.beside.empty())
      throw InputError(fmt::format("{}: there is no step {}; the plan has {}",
                                   options.steps.empty() ? "--step" : "--steps",
                                   with_thousands(range_.first + 1), plural(record_.steps(), "step")));
  }

  Picture picture() {
    Picture out = chosen();
    out.good = findings_.empty();
    return out;
  }

  [[nodiscard]] uint64_t first() const { return range_.first; }
  [[nodiscard]] uint64_t last() const { return record_.last(); }
  [[nodiscard]] uint64_t steps() const { return record_.steps(); }
  [[nodiscard]] bool good() const { return findings_.empty(); }

  [[nodiscard]] NetworkScene loads() const { return load_scene(record_, layout_); }
  /// A step, or the network at rest where the plan is over.
  [[nodiscard]] NetworkScene scene(uint64_t step) const {
    if (step >= record_.steps()) {
      const Topology& topology = record_.problem().topology();
      return {.topology = topology,
              .layout = layout_,
              .title = "over",
              .values = std::vector<float>(topology.num_arcs()),
              .scale = record_.scale()};
    }
    NetworkScene out = step_scene(record_, layout_, step);
    point_out(findings_, step, out);
    return out;
  }

 private:
  Picture chosen() {
    if (record_.steps() == 0) return at_rest();
    if (options_.space_time) return space_time();
    if (options_.histogram)
      return {load_histogram_svg(load_histogram_of(record_), options_.style()),
              "loads of links" + of_steps()};
    if (options_.load)
      return {network_svg(load_scene(record_, layout_), options_.style()), "loads of links" + of_steps()};
    if (options_.source.app->count("--step") > 0 || !options_.steps.empty())
      return steps(record_.first(), record_.last());
    // The place of the first finding; else all steps if there are few, and else what they come to.
    if (!findings_.empty() && findings_[0].step < record_.steps())
      return steps(findings_[0].step, findings_[0].step + 1);
    if (record_.steps() <= 8) return steps(0, record_.steps());
    if (options_.ascii) return space_time();
    return {network_svg(load_scene(record_, layout_), options_.style()), "loads of links"};
  }

  // Where nothing has to be sent.
  [[nodiscard]] Picture at_rest() const {
    NetworkScene scene = scene_at_rest(record_.problem(), layout_);
    if (!findings_.empty()) {
      scene.note.clear();
      point_out(findings_, findings_[0].step, scene);
    }
    return {options_.ascii ? network_text(scene) + scene.note + "\n" : network_svg(scene, options_.style()),
            "the network: the plan has no steps"};
  }

  [[nodiscard]] std::string of_steps() const {
    if (record_.first() == 0 && record_.last() == record_.steps()) return "";
    return fmt::format(", steps {} to {}", with_thousands(record_.first() + 1),
                       with_thousands(record_.last()));
  }

  Picture space_time() {
    SpaceTime diagram = space_time_of(record_, layout_);
    point_out(findings_, record_, link_rows(layout_), diagram);
    const std::string what = "space-time diagram" + of_steps();
    if (options_.ascii) return {space_time_text(diagram), what};
    return {space_time_svg(diagram, {.width = static_cast<double>(options_.width)}), what};
  }

  Picture steps(uint64_t first, uint64_t last) {
    if (last - first > kMostScenes)
      throw InputError(fmt::format(
          "{} steps side by side; at most {} are possible: give --steps {}:{}, or --space-time for all",
          with_thousands(last - first), kMostScenes, first, first + 8));
    std::vector<NetworkScene> scenes;
    for (uint64_t s = first; s < last; ++s) scenes.push_back(scene(s));
    const std::string what =
        last - first == 1
            ? fmt::format("step {} of {}", with_thousands(last), with_thousands(record_.steps()))
            : fmt::format("steps {} to {} of {}", with_thousands(first + 1), with_thousands(last),
                          with_thousands(record_.steps()));
    if (!options_.ascii) return {strip_svg(scenes, options_.style()), what};
    std::string text;
    for (const NetworkScene& scene : scenes)
      text +=
          (text.empty() ? "" : "\n") + network_text(scene) + (scene.note.empty() ? "" : scene.note + "\n");
    return {std::move(text), what};
  }

  const DrawOptions& options_;
  std::vector<Finding> findings_;
  NetworkLayout layout_;
  StepRange range_;
  StepRecord record_;
};

// A plan that is rejected is drawn all the same, so its steps are kept apart from the judge's.
struct JudgedPlan {
  Compiled judged;
  std::optional<Plan> given{};

  [[nodiscard]] const Plan& plan() const { return judged.schedule ? judged.schedule->plan() : *given; }
};

JudgedPlan judged_plan(PlanSource source, const DrawOptions& options, Console& console) {
  std::optional<Plan> given;
  if (const auto* file = std::get_if<PlanFile>(&source)) given = file->plan;
  TerminalProgress progress(console);
  Wishes wishes = options.source.wishes();
  wishes.progress = &progress;
  return {compile(std::move(source), wishes), std::move(given)};
}

// One scale for all. Where colours mean one thing in one plan and another in the next, they are left out.
void make_colours_alike(std::vector<NetworkScene>& scenes) {
  double largest = 1;
  bool alike = true;
  for (const NetworkScene& scene : scenes) {
    largest = std::max(largest, scene.scale.largest);
    alike = alike && scene.scale.name == scenes[0].scale.name && scene.scale.words == scenes[0].scale.words;
  }
  for (NetworkScene& scene : scenes) {
    scene.scale.largest = largest;
    if (alike) continue;
    scene.scale = {};
    for (float& value : scene.values) value = std::min(value, 1.0F);
  }
}

// Several plans beside each other, in step: a row for each step, or one of their loads. Colours mean the same in all.
Picture pictures_beside(const DrawOptions& options, const std::vector<JudgedPlan>& plans) {
  std::vector<std::unique_ptr<PlanPictures>> of;
  uint64_t last = 0;
  for (const JudgedPlan& one : plans) {
    of.push_back(std::make_unique<PlanPictures>(options, one.judged.head.problem, one.plan(),
                                                one.judged.verdict.findings));
    last = std::max(last, of.back()->last());
  }
  const uint64_t first = of[0]->first();
  const bool by_step = options.source.app->count("--step") > 0 || !options.steps.empty();
  if (first >= last && by_step)
    throw InputError(fmt::format("{}: no plan has a step {}", options.steps.empty() ? "--step" : "--steps",
                                 with_thousands(first + 1)));
  std::vector<NetworkScene> scenes;
  const auto add = [&](size_t i, NetworkScene scene) {
    std::string name = plans[i].judged.head.algorithm;
    if (name.empty()) name = fmt::format("plan {}", i + 1);
    scene.title = scene.title.empty() ? name : fmt::format("{}, {}", name, scene.title);
    scenes.push_back(std::move(scene));
  };
  if (by_step && (last - first) * of.size() > kMostScenes)
    throw InputError(fmt::format("{} pictures; at most {} are possible: give --steps {}:{}",
                                 with_thousands((last - first) * of.size()), kMostScenes, first,
                                 first + kMostScenes / of.size()));
  for (uint64_t s = first; by_step && s < last; ++s)
    for (size_t i = 0; i < of.size(); ++i) add(i, of[i]->scene(s));
  for (size_t i = 0; !by_step && i < of.size(); ++i) add(i, of[i]->loads());
  make_colours_alike(scenes);
  NetworkStyle style = options.style();
  style.across = of.size();
  return {.content = strip_svg(scenes, style),
          .what = fmt::format("{} of {}", by_step ? "steps" : "loads of links", plural(of.size(), "plan")),
          .good = std::ranges::all_of(of, [](const auto& one) { return one->good(); })};
}

Picture plan_picture(const DrawOptions& options, Console& console) {
  PlanSource source = plan_source(options.source, "draw", console);
  require_drawable(problem_of(source).topology());
  if (options.witness) return witness_picture(options, problem_of(source));
  std::vector<JudgedPlan> plans;
  plans.push_back(judged_plan(std::move(source), options, console));
  for (const std::string& file : options.beside) {
    PlanFile other = read_plan_argument(file, options.source.allow_files, console);
    require_drawable(other.problem.topology());
    plans.push_back(judged_plan(std::move(other), options, console));
  }
  return while_waiting(console, "drawing", [&] {
    if (plans.size() > 1) return pictures_beside(options, plans);
    const Compiled& judged = plans[0].judged;
    return PlanPictures(options, judged.head.problem, plans[0].plan(), judged.verdict.findings).picture();
  });
}

Picture picture_of(DrawOptions& options, Console& console) {
  ProblemOptions& problem = options.source.problem;
  // One word is a network or a plan.
  options.source.take_plan_word();
  if (options.source.plan.empty() && problem.topology.empty() && !problem.collective.empty() &&
      !is_collective(problem.collective)) {
    problem.topology = std::exchange(problem.collective, {});
    if (!options.beside.empty())
      throw InputError(
          "--beside sets plans beside a plan: give a COLLECTIVE and a TOPOLOGY, or a plan's file");
    const Topology topology =
        while_waiting(console, "building the network", [&] { return parse_topology(problem.network()); });
    say_remarks(topology, console);
    return while_waiting(console, "drawing", [&] { return network_alone(options, topology); });
  }
  return plan_picture(options, console);
}

int draw(DrawOptions& options, Console& console) {
  require_one_picture(options);
  const Picture picture = picture_of(options, console);
  if (options.output.empty()) {
    console.out << picture.content;
  } else {
    if (options.ascii) {
      write_file(options.output, picture.content);
    } else {
      write_picture(options.output, picture.content);
    }
    Report report;
    report.add("picture", picture.what, picture.what);
    report.add("written", options.output, options.output);
    report.print(console.out, options.form);
  }
  return picture.good ? kExitOk : kExitBadPlan;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<DrawOptions>();
  add_plan_source(app, options->source);
  app.add_option("-o,--output", options->output, "the picture: .svg, .png or .pdf")->type_name("FILE");
  app.add_option("--step", options->step, "one step, with arrows")->range(1)->type_name("N");
  app.add_option("--steps", options->steps,
                 "several side by side, 0:8 are the first eight; with the others below, of these alone")
      ->type_name("FROM:TO");
  app.add_flag("--space-time", options->space_time, "links against steps");
  app.add_option("--beside", options->beside,
                 "another plan in the same picture, loads or steps; again for more")
      ->repeated()
      ->type_name("FILE");
  constexpr const char* kLoads = "how much goes over each link, in all steps; how many links carry how much";
  app.add_flag("--load", options->load, kLoads)->group(kLoads);
  app.add_flag("--histogram", options->histogram, kLoads)->group(kLoads);
  app.add_flag("--witness", options->witness, "what proves the lower bound: a cut, a node, weights");
  app.add_flag("--ascii", options->ascii,
               "with characters: networks if not too crowded, links against steps");
  app.add_flag("--no-labels", options->no_labels, "without names of nodes");
  add_report_form(app, options->form, kColumns, "what was written, as JSON; as a row of CSV");
  app.add_option("--width", options->width,
                 "in points: 245 for a column of a paper (the default), 500 for two")
      ->range(static_cast<uint64_t>(kLeastWidth), static_cast<uint64_t>(kMostSide))
      ->type_name("PT");
  return [options](Console& console) { return draw(*options, console); };
}

}  // namespace
}  // namespace draw_parts

namespace commands {

extern const Command draw;

const Command draw{
    .name = "draw",
    .summary = "pictures of networks, steps, loads and space-time diagrams",
    .details =
        "Draws a network (`draw SPEC`), or a plan that is made or read (`draw COLLECTIVE SPEC`, `draw FILE`): its steps, its loads, "
        "links against time, or what proves its lower bound. Without one of these options, up to eight steps side by side, and of "
        "longer plans the loads. Of a plan that is rejected, the step of the first finding. SVG needs nothing; PNG and PDF need "
        "rsvg-convert (Debian: librsvg2-bin).",
    .example = R"~($ quadrille draw alltoall "mesh(2,3)" --step 1 --ascii
step 1
(0,0) <-> (0,1) <-> (0,2)
 ^v        ^v        ^v
(1,0) <-> (1,1) <-> (1,2)
)~",
    .setup = draw_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
