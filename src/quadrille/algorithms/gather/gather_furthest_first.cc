// Gather: the furthest-first scatter read backwards, so that the messages arrive nearest origin first.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::algorithms {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  const Problem scatter = reversed(problem);
  Plan plan;
  scatter_furthest_first.generate(scatter, plan);
  reverse(scatter, plan).replay(sink);
}

}  // namespace

constinit const Algorithm gather_furthest_first = {
    .name = "gather_furthest_first",
    .collective = CollectiveKind::kGather,
    .summary = "the furthest-first scatter, backwards in time and direction",
    .source = "collective communication dissertation 1996, section 3.3",
    .remarks = "any graph, any ports; optimal with one port (n-1 steps)",
    .applies = [](const Problem&) { return Applicability::yes(); },
    .claimed = [](const Problem& problem) { return scatter_furthest_first.claimed(reversed(problem)); },
    .generate = generate,
};

}  // namespace quadrille::algorithms
