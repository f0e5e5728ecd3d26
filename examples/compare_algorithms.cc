// All algorithms for a job, side by side: what the judge counted of each, and why others do not apply. Steps
// are judged as they are made and never stored.
#include <quadrille/quadrille.h>

#include <iomanip>
#include <iostream>

using namespace quadrille;

int main() {
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = make_problem(parse_topology("mesh(3,4)"), CollectiveKind::kAllgather, one_port);
  std::cout << problem.title() << ", " << describe(problem.model()) << "\n\n";

  for (const Offer& offer : offers(problem)) {
    std::cout << std::left << std::setw(32) << offer.name;
    if (!offer.applies) {
      std::cout << "no: " << offer.reason << "\n";
      continue;
    }
    const Compiled made = compile(problem, {.algorithm = offer.name, .stored = false});
    const Figures& figures = made.verdict.figures;
    std::cout << figures.steps << " steps, " << figures.transfers << " transfers, busiest link "
              << figures.busiest_link << (made.optimal() ? "; optimal" : "") << "\n";
  }

  const Decision chosen = decide(problem);
  std::cout << "\nauto takes " << chosen.head.algorithm << ": " << chosen.reason << "\n";
}
