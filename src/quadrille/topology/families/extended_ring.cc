#include <fmt/format.h>

#include "quadrille/topology/families/circulant.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace extended_ring_parts {
namespace {

constexpr std::string_view kSyntax = "extended_ring(n,rho)";
constexpr std::string_view kSamples[] = {"extended_ring(1,0)", "extended_ring(2,1)",  "extended_ring(5,2)",
                                         "extended_ring(6,2)", "extended_ring(8,3)",  "extended_ring(8,4)",
                                         "extended_ring(9,3)", "extended_ring(14,2)", "extended_ring(11,1)"};
// Jumps are listed one by one.
constexpr uint64_t kMaxReach = 1'000'000;

struct Sizes {
  uint64_t nodes = 0;
  uint64_t rho = 0;
};

Sizes read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const std::vector<Arg>& args = call.sections[0].args;
  Sizes out;
  out.nodes = read_number(call, args[0], "number of nodes");
  out.rho = read_number(call, args[1], "reach", out.nodes == 1 ? 0 : 1, kMaxReach);
  if (out.rho > out.nodes / 2) {
    throw call.error(args[1].where, fmt::format("the reach is {}, at most half of {} nodes is possible",
                                                out.rho, out.nodes));
  }
  return out;
}

TopologyFacts facts(const SpecCall& call) {
  const Sizes given = read(call);
  return extended_ring_facts(given.nodes, given.rho);
}

Topology build(const SpecCall& call) {
  const Sizes given = read(call);
  require_buildable(call, given.nodes, Int128{given.nodes} * 2 * given.rho);
  return extended_ring_topology(given.nodes, given.rho);
}

}  // namespace
}  // namespace extended_ring_parts

namespace families {

extern const Family extended_ring;

constinit const Family extended_ring = {
    .name = "extended_ring",
    .summary = "a circle in which every node is linked to the rho nearest on each side",
    .syntax = extended_ring_parts::kSyntax,
    .parameters = "n: number of nodes; rho: reach, from 1 to n/2 (0 for a single node)",
    .numbering = "around the circle",
    .source = "",
    .samples = extended_ring_parts::kSamples,
    .build = extended_ring_parts::build,
    .facts = extended_ring_parts::facts,
};

}  // namespace families

}  // namespace quadrille
