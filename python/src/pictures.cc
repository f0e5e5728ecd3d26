// What others look at and read: the pictures of `quadrille draw`, the page of `quadrille view`, the forms of `quadrille export`.
#include <optional>
#include <vector>

#include "bindings.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/draw/schedule_pictures.h"
#include "quadrille/draw/svg.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/layout/network_layout.h"
#include "quadrille/viewer/page_plan.h"

namespace quadrille::python {
namespace {

constexpr uint64_t kMostShownSteps = 8;

std::string steps_side_by_side(const StepRecord& record, const NetworkLayout& layout,
                               const NetworkStyle& style) {
  if (record.last() - record.first() > kMostScenes)
    throw InputError("pictures of " + std::to_string(record.last() - record.first()) +
                     " steps side by side; at most " + std::to_string(kMostScenes) +
                     " are possible: give steps=(0, 8), or picture=\"space_time\" for all");
  std::vector<NetworkScene> scenes;
  for (uint64_t s = record.first(); s < record.last(); ++s) scenes.push_back(step_scene(record, layout, s));
  return strip_svg(scenes, style);
}

}  // namespace

std::string network_picture(const Topology& topology, double width) {
  require_width(width);
  require_drawable(topology);
  const NetworkLayout layout = layout_of(topology);
  return network_svg({.topology = topology, .layout = layout}, {.width = width});
}

std::string plan_picture(const Problem& problem, const Plan& plan, std::string_view picture,
                         uint64_t first_step, uint64_t last_step, double width) {
  require_width(width);
  require_drawable(problem.topology());
  const NetworkLayout layout = layout_of(problem.topology());
  StepRecord record(problem, first_step, last_step);
  plan.replay(record);
  if (record.first() >= record.last() && plan.num_steps() > 0)
    throw ValueError("steps: there is no step " + std::to_string(first_step) + "; the plan has " +
                         std::to_string(plan.num_steps()) + ", counted from 0",
                     {.of = "steps",
                      .given = "(" + std::to_string(first_step) + ", " + std::to_string(last_step) + ")",
                      .allowed = {"0 to " + std::to_string(plan.num_steps())}});
  const NetworkStyle style{.width = width};
  const uint64_t shown = record.last() - record.first();
  if (record.steps() == 0) return network_svg(scene_at_rest(problem, layout), style);
  if (picture == "auto") picture = shown > 0 && shown <= kMostShownSteps ? "steps" : "load";
  if (picture == "steps") return steps_side_by_side(record, layout, style);
  if (picture == "load") return network_svg(load_scene(record, layout), style);
  if (picture == "histogram") return load_histogram_svg(load_histogram_of(record), style);
  if (picture == "space_time") return space_time_svg(space_time_of(record, layout), {.width = width});
  throw ValueError(
      "picture is '" + std::string(picture) + "'; allowed are auto, steps, load, space_time and histogram",
      {.of = "picture",
       .given = std::string(picture),
       .allowed = {"auto", "steps", "load", "space_time", "histogram"}});
}

std::string plan_page(const JudgedPlan& plan, const std::vector<const JudgedPlan*>& beside,
                      const std::string& bytes) {
  const std::optional<uint64_t> size =
      bytes.empty() ? std::nullopt : std::optional(parse_bytes(bytes, "--bytes"));
  std::vector<const JudgedPlan*> shown = {&plan};
  shown.insert(shown.end(), beside.begin(), beside.end());
  if (shown.size() > kMostPagePlans)
    throw InputError("beside has " + std::to_string(beside.size()) + " schedules; a page shows at most " +
                     std::to_string(kMostPagePlans - 1) + " beside the first");
  std::vector<std::unique_ptr<PageColumns>> steps;
  std::vector<PagePlan> pages;
  for (const JudgedPlan* one : shown) {
    steps.push_back(std::make_unique<PageColumns>(one->made.head.problem, PageSelection{}, size));
    one->made.schedule->plan().replay(*steps.back());
    pages.push_back(page_plan(one->made, *steps.back(), one->made.verdict, size));
  }
  return view_page(pages);
}

std::vector<ExportedFile> exported(const JudgedPlan& plan, const std::string& form,
                                   const std::string& bytes) {
  const Exporter* const exporter = exporter_catalog().find(form);
  if (exporter == nullptr || exporter->write_set != nullptr) {
    std::vector<std::string> names;
    for (const Exporter* each : exporter_catalog())
      if (each->write_set == nullptr) names.emplace_back(each->name);
    throw ValueError("form is '" + form + "'; allowed are " + join(names),
                     {.of = "form", .given = form, .allowed = names});
  }
  if (exporter->write_network != nullptr)
    return {{"", exporter->write_network(plan.made.head.problem.topology())}};
  const ScheduleToExport what{*plan.made.schedule, plan.made.head.algorithm,
                              bytes.empty() ? kDefaultMessageBytes : parse_bytes(bytes, "--bytes")};
  if (exporter->write_files != nullptr) return exporter->write_files(what);
  return {{"", exporter->write(what)}};
}

}  // namespace quadrille::python
