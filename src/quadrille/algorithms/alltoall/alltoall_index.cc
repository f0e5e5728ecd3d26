// Bruck's index algorithm with any radices, and with displacements that are no digits: all nodes send along the same few
// generators, step by step, and a block takes those hops that bring it to where it must go.
//
// With one port a step is one message of every node, so S start-ups cost as many rounds as all displacements need hops. No plan
// has fewer start-ups than ceil(log_(k+1) N) with k ports, where digits of radix k + 1 are the best that can be; more start-ups take
// fewer rounds, down to about 2 sqrt(N) / k with two hops at most. Between these, members are sequences found by search
// (cayley/relay_sequences.h), which need fewer rounds than mixed radices do.
#include <fmt/format.h>

#include <memory>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/relay_sequences.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/translated_messages.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_index;

namespace alltoall_index_parts {
namespace {

constexpr uint32_t kMostNodes = 8192;  // of a complete graph, whose links are listed

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_between_partners(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  if (topology.cayley() == nullptr)
    return Applicability::no(fmt::format("{} is not known as a Cayley graph", topology.name()));
  if (problem.collective().pieces() > 1)
    return Applicability::no("blocks in pieces take the same ways: it sends them whole");
  const CayleyStructure& cayley = *topology.cayley();
  if (step_room(problem).ports >= cayley.generators.size())
    return Applicability::no("it is for fewer ports than a node has links: alltoall_combining uses all");
  const uint32_t most = is_cyclic_and_complete(cayley) ? kMostNodes : kMostNodesOfRelays;
  if (topology.num_nodes() <= most) return Applicability::yes();
  return Applicability::no(fmt::format("it searches for sequences of generators: up to {} nodes, {} has {}",
                                       with_thousands(most), topology.name(),
                                       with_thousands(topology.num_nodes())));
}

Prediction predicted(const Problem&, const RelaySequence& sequence) {
  return {.steps = sequence.start_ups(),
          .start_ups = sequence.start_ups(),
          .busiest_link = sequence.busiest,
          .critical_blocks = sequence.rounds,
          .critical_hops = sequence.start_ups()};
}

void generate(const Problem& problem, const RelaySequence& sequence, StepSink& sink) {
  const std::vector<uint32_t> hops = relay_hops(*problem.topology().cayley(), step_room(problem), sequence);
  push_translated_messages(problem, hops, static_cast<uint32_t>(sequence.start_ups()), sink);
}

Preparation prepared(const Problem& problem) {
  Preparation out;
  for (const RelaySequence& sequence : *relay_sequences(*problem.topology().cayley(), step_room(problem)))
    out.plans.push_back(
        kept(problem, sequence, predicted, generate, fmt::format("{}", sequence.start_ups())));
  if (out.plans.empty()) return Preparation::no("no sequence of generators was found that reaches all nodes");
  return out;
}

Chunking chunks(const Problem&) { return {}; }

}  // namespace
}  // namespace alltoall_index_parts

constinit const Algorithm alltoall_index = {
    .name = "alltoall_index",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "Bruck's index algorithm with any radices and more: blocks take those of the hops that all nodes make which "
        "bring them where they must go",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997; sequences that are no radices: ours",
    .remarks =
        "Cayley graphs with fewer ports than links; on complete graphs members from ceil(log N) start-ups to about 2 sqrt(N)",
    .counts_alone = true,
    .same_at_all_nodes = always,
    .applies = alltoall_index_parts::applies,
    .chunks = alltoall_index_parts::chunks,
    .prepare = alltoall_index_parts::prepared,
};

}  // namespace quadrille::algorithms
