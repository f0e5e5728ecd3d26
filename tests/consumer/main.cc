// What a user of the library writes: a topology from its text, an algorithm from the catalog, the judge's
// word on its plan.
#include <iostream>

#include "quadrille/algorithms/choice.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

int main() {
  using namespace quadrille;

  const Model one_port{kOnePort, kOnePort};
  const Problem problem = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, one_port);

  const Choice choice = choose_algorithm(problem);
  Plan plan;
  choice.generate(problem, plan);

  const Verification verification = verify(problem, std::move(plan));
  if (!verification.schedule) {
    for (const Finding& finding : verification.verdict.findings) std::cerr << to_text(finding) << '\n';
    return 1;
  }
  std::cout << problem.title() << ": " << verification.schedule->figures().steps << " steps, at least "
            << best_bound(problem).value.ceil() << '\n';
}
