// What a user of the library writes: a network from its text, a plan, the judge's word on it.
#include <quadrille/quadrille.h>

#include <iostream>

int main() {
  using namespace quadrille;

  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = make_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, one_port);
  const Compiled made = compile(problem);
  std::cout << problem.title() << ": " << made.verdict.figures.steps << " steps, at least "
            << made.least_steps().value.ceil() << '\n';
  return made.optimal() ? 0 : 1;
}
