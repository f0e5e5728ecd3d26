// Total exchange on a Cayley graph with two ports or more, up to all: in every step all nodes forward as many relative
// messages as they have ports, along generators of which each link can carry as many.
//
// A relative message r stands for the blocks x -> x*r of all nodes x, and each hop of it is a permutation of the
// nodes. So a plan is one node's: a way for every message, such that no generator and no port has more to do than the bound
// generator_weights proves (cayley/balanced_ways.h), and an order of the hops in which all of them are busy to the end
// (cayley/ways_in_steps.h). The pieces of blocks are messages of their own, as long as they are not too many: then what does
// not come out even is shared among them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/balanced_ways.h"
#include "quadrille/algorithms/cayley/relative_messages.h"
#include "quadrille/algorithms/cayley/translated_step.h"
#include "quadrille/algorithms/cayley/ways_in_steps.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_cayley_ports;

namespace alltoall_cayley_ports_parts {
namespace {

constexpr uint64_t kMostArcs = uint64_t{1} << 22U;
constexpr uint64_t kMostHops = uint64_t{1} << 24U;
// With fewer hops there is no need to count them first.
constexpr uint32_t kFewNodes = 4096;
constexpr uint64_t kMostHopsOfPieces = uint64_t{1} << 20U;

Applicability applies(const Problem& problem) {
  if (Applicability fits = relative_messages_apply(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("half duplex: two generators may use a link both ways");
  if (topology.cayley()->group->order() < 2)
    return Applicability::no("a single node has nothing to exchange");
  if (topology.num_arcs() > kMostArcs || topology.cayley()->generators.size() > size_t{1} << 16U) {
    return Applicability::no(fmt::format("it looks at every link: up to {} arcs, {} has {}",
                                         with_thousands(kMostArcs), topology.name(),
                                         with_thousands(topology.num_arcs())));
  }
  if (step_room(problem).ports >= 2) return Applicability::yes();
  return Applicability::no("with one port alltoall_cayley is optimal");
}

// From one node to all others, on shortest ways.
uint64_t hops_of(const Topology& topology) {
  std::vector<uint32_t> distance(topology.num_nodes(), 0);
  std::vector<NodeId> nearest{NodeId{0}};
  uint64_t out = 0;
  for (size_t i = 0; i < nearest.size(); ++i) {
    const uint32_t next = distance[index(nearest[i])] + 1;
    for (const ArcId arc : topology.arcs_from(nearest[i])) {
      const NodeId head = topology.head(arc);
      if (head == NodeId{0} || distance[index(head)] != 0) continue;
      distance[index(head)] = next;
      out += next;
      nearest.push_back(head);
    }
  }
  return out;
}

struct Program {
  RelativeWays ways;
  HopSteps steps;
  uint32_t times;  // that it is run, each time with other pieces
};
using KeptProgram = std::shared_ptr<const Program>;

struct ProgramKey {
  std::shared_ptr<const Group> group;
  std::vector<uint32_t> generators;
  StepRoom room;
  uint32_t pieces;
  double effort;

  friend bool operator==(const ProgramKey&, const ProgramKey&) = default;
};

// Packets of one machine and of another ask for the same.
KeptProgram program_of(const Problem& problem) {
  static LastAnswers<ProgramKey, KeptProgram> kept(2);
  const CayleyStructure& cayley = *problem.topology().cayley();
  const StepRoom room = step_room(problem);
  const uint32_t pieces = problem.collective().pieces();
  const ProgramKey key{cayley.group, cayley.generators, room, pieces, SearchLimits::now().effort};
  return kept.of(problem.topology(), key, [&] {
    const bool together = pieces == 1 || hops_of(problem.topology()) * pieces <= kMostHopsOfPieces;
    RelativeWays ways = balanced_ways(cayley, room, together ? pieces : 1);
    HopSteps steps = ways_in_steps(cayley, ways, room);
    return std::make_shared<const Program>(Program{std::move(ways), std::move(steps), together ? 1 : pieces});
  });
}

Prediction predicted(const Problem& problem, const KeptProgram& made) {
  const Program& program = *made;
  const uint64_t steps = program.times * program.steps.count();
  const std::vector<uint64_t> loads = program.ways.loads(problem.topology().cayley()->generators.size());
  return {.steps = steps,
          .start_ups = steps,
          .busiest_link = program.times * *std::max_element(loads.begin(), loads.end())};
}

void generate(const Problem& problem, const KeptProgram& made, StepSink& sink) {
  const Program& program = *made;
  const CayleyStructure& cayley = *problem.topology().cayley();
  const Group& group = *cayley.group;
  const RelativeWays& ways = program.ways;
  TranslatedStep step(problem, sink);
  std::vector<uint32_t> moved(ways.count());
  std::vector<uint32_t> left(ways.count());
  for (uint32_t time = 0; time < program.times; ++time) {
    for (uint32_t m = 0; m < ways.count(); ++m) {
      moved[m] = 0;
      left[m] = ways.displacement(m);
    }
    for (uint64_t t = 0; t < program.steps.count(); ++t) {
      for (const RelativeHop& hop : program.steps.step(t)) {
        const uint32_t m = hop.message;
        step.set_piece(program.times > 1 ? time : ways.piece(m));
        step.add(hop.generator, moved[m], left[m]);
        moved[m] = group.multiply(moved[m], cayley.generators[hop.generator]);
        left[m] = group.multiply(cayley.generators[cayley.inverses[hop.generator]], left[m]);
      }
      step.flush();
    }
  }
}

Preparation prepared(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.num_nodes() > kFewNodes) {
    const uint64_t hops = hops_of(topology);
    if (hops > kMostHops) {
      return Preparation::no(fmt::format("it follows every hop of one node's blocks: up to {}, {} has {}",
                                         with_thousands(kMostHops), topology.name(), with_thousands(hops)));
    }
  }
  return by_search<program_of, predicted, generate>(problem);
}

}  // namespace
}  // namespace alltoall_cayley_ports_parts

constinit const Algorithm alltoall_cayley_ports = {
    .name = "alltoall_cayley_ports",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all nodes of a Cayley graph forward as many relative messages as they have ports, on ways that load all "
        "generators evenly",
    .source = "ours; one port: collective communication dissertation 1996, theorem 4.11",
    .remarks =
        "any Cayley graph of up to 16.8 million hops a node, two ports or more; the bound on most graphs, else "
        "a fraction of a per cent more, where loads do not come out even",
    .counts_alone = true,
    .same_at_all_nodes = always,
    .applies = alltoall_cayley_ports_parts::applies,
    .prepare = alltoall_cayley_ports_parts::prepared,
};

}  // namespace quadrille::algorithms
