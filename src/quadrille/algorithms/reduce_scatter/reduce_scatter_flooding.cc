// Reduce_scatter on any graph: the allgather by flooding, backwards.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/measured_claim.h"
#include "quadrille/algorithms/reversed/flooding_backwards.h"

namespace quadrille::algorithms {
namespace {

void generate(const Problem& problem, StepSink& sink) { flooding_backwards(problem).replay(sink); }

}  // namespace

constinit const Algorithm reduce_scatter_flooding = {
    .name = "reduce_scatter_flooding",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather by flooding, backwards in time and direction",
    .source = "collective communication dissertation 1996, theorem 6.9, on any graph and backwards",
    .remarks = "any graph, any ports, routers add up too; optimal on complete trees with all ports",
    .applies = can_store_flooding,
    .claimed = [](const Problem& problem) { return measured_claim(problem, generate, kMostMeasuredPackets); },
    .generate = generate,
    .claimed_by_work = true,
};

}  // namespace quadrille::algorithms
