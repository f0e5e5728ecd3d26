// Ports: a node that must send, or receive, m blocks through k ports needs m/k steps; with worms, m/k blocks
// on the critical path.
#include <fmt/format.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"

namespace quadrille::bounds {

extern const BoundCard ports;

namespace ports_parts {
namespace {

struct Direction {
  Ports ports;
  uint64_t Demand::*blocks;
  std::string_view verb;
  std::string_view noun;
};

// Those who may have unlike much to send or receive: all; where nothing but being the root tells them apart, the first, the
// root and the last.
std::vector<Rank> ranks_to_ask(const Problem& problem) {
  const Collective& collective = problem.collective();
  std::vector<Rank> out{Rank{0}};
  if (!problem.topology().is_outline()) {
    for (uint32_t r = 1; r < collective.num_ranks(); ++r) out.push_back(Rank{r});
    return out;
  }
  if (collective.root()) out.push_back(*collective.root());
  out.push_back(Rank{collective.num_ranks() - 1});
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Model& model = problem.model();
  const std::vector<Rank> ranks = ranks_to_ask(problem);
  const BlocksARound a_round(problem);
  std::optional<Bound> best;
  for (const Direction& d : {Direction{model.send, &Demand::send, "send", "send"},
                             Direction{model.receive, &Demand::receive, "receive", "receive"}}) {
    if (d.ports.unlimited()) continue;
    for (const Rank rank : ranks) {
      const uint64_t blocks = demand_of(problem, rank).*d.blocks;
      const Rational value = Rational::of(blocks, Int128{d.ports.count} * a_round.of_a_message());
      if (blocks == 0 || (best && value <= best->value)) continue;
      best = Bound{ports.name, value,
                   fmt::format("node {} must {} {} block{} through {} {} port{}",
                               problem.topology().label(problem.topology().endpoint(rank)), d.verb, blocks,
                               blocks == 1 ? "" : "s", d.ports.count, d.noun, d.ports.count == 1 ? "" : "s"),
                   counted_on(problem), NodeWitness{problem.topology().endpoint(rank)}};
    }
  }
  return best;
}

}  // namespace
}  // namespace ports_parts

constinit const BoundCard ports = {
    .name = "ports",
    .summary = "blocks that a node must send or receive, over its ports",
    .source = "counting",
    .in_proportion = true,
    .knows_counts = true,
    .knows_outlines = true,
    .evaluate = ports_parts::evaluate,
};

}  // namespace quadrille::bounds
