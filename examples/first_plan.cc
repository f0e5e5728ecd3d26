// A first plan: total exchange on a 4 x 4 torus whose nodes send and receive one message at a time.
//
//     g++ -std=c++20 first_plan.cc $(pkg-config --cflags --libs quadrille) -o first_plan
#include <quadrille/quadrille.h>

#include <iostream>

using namespace quadrille;

int main() {
  const Topology network = parse_topology("torus(4,4)");
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = make_problem(network, CollectiveKind::kAlltoall, one_port);

  const Compiled made = compile(problem);

  const Bound least = made.least_steps();
  std::cout << problem.title() << ", " << describe(problem.model()) << "\n"
            << "algorithm    " << made.head.algorithm << "\n"
            << "because it   " << made.reason << "\n"
            << "steps        " << made.verdict.figures.steps << "\n"
            << "lower bound  " << least.value.to_string() << " by " << least.name << ": " << least.witness
            << "\n"
            << (made.optimal() ? "No plan takes fewer steps.\n" : "Fewer may be possible.\n");

  // A schedule is a list of steps, a step a list of transfers: which block goes over which arc.
  const StepView first = made.schedule->plan().step(0);
  std::cout << "\nThe first step has " << first.size() << " transfers; these are three of them:\n";
  for (size_t t = 0; t < 3; ++t) {
    const ArcId arc = first.arcs(t).front();
    std::cout << "  " << network.label(network.tail(arc)) << " sends block "
              << problem.block_label(first.blocks(t).front()) << " to " << network.label(network.head(arc))
              << "\n";
  }
}
