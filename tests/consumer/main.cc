// What a user of the library writes: a network from its text, a plan, the judge's word on it.
#include <quadrille/quadrille.h>

#include <iostream>
#include <optional>
#include <span>
#include <string>

int main() {
  using namespace quadrille;

  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = make_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, one_port);
  const Compiled made = compile(problem);
  std::cout << problem.title() << ": " << made.verdict.figures.steps << " steps, at least "
            << made.least_steps().value.ceil() << '\n';

  // A picture and a page of it.
  StepRecord record(problem);
  made.schedule->plan().replay(record);
  const std::string picture = network_svg(step_scene(record, layout_of(problem.topology()), 0));
  PageColumns steps(problem);
  made.schedule->plan().replay(steps);
  const PagePlan shown = page_plan(made, steps, made.verdict, std::nullopt);
  const std::string page = view_page(std::span(&shown, 1));
  std::cout << "an SVG: " << picture.starts_with("<svg")
            << ", a page: " << page.starts_with("<!doctype html>") << '\n';
  return made.optimal() && picture.starts_with("<svg") && page.starts_with("<!doctype html>") ? 0 : 1;
}
