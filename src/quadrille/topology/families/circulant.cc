#include "quadrille/topology/families/circulant.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace circulant_parts {
namespace {

constexpr std::string_view kSyntax = "circulant(n;j1,j2,..)";
constexpr std::string_view kSamples[] = {"circulant(2;1)",    "circulant(7;1,2)",  "circulant(8;1,4)",
                                         "circulant(9;1,3)",  "circulant(10;2,5)", "circulant(12;2,3)",
                                         "circulant(14;1,2)", "circulant(13;1,5)"};

struct Circulant {
  std::string spec;
  uint64_t nodes = 0;
  std::vector<uint64_t> jumps;
};

Circulant read(const SpecCall& call) {
  expect_sections(call, 2, 2, kSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  Circulant out;
  out.nodes = read_number(call, call.sections[0].args[0], "number of nodes");
  const SpecSection& section = call.sections[1];
  if (section.args.empty()) {
    throw call.error({section.where.begin, section.where.begin + 1},
                     fmt::format("circulant needs at least one jump: {}", kSyntax));
  }
  uint64_t divisor = out.nodes;
  for (const Arg& arg : section.args) {
    const uint64_t jump = read_number(call, arg, "jump");
    if (jump % out.nodes == 0) {
      throw call.error(
          arg.where, fmt::format("a jump of {} links every one of the {} nodes to itself", jump, out.nodes));
    }
    out.jumps.push_back(jump);
    divisor = std::gcd(divisor, jump);
  }
  if (divisor != 1) {
    throw call.error(section.where,
                     fmt::format("these jumps are all multiples of {}, as is {}: node 1 cannot be "
                                 "reached from node 0",
                                 divisor, out.nodes));
  }
  out.jumps = reduced_jumps(out.nodes, out.jumps);
  out.spec = fmt::format("circulant({};{})", out.nodes, fmt::join(out.jumps, ","));
  return out;
}

TopologyFacts facts(const SpecCall& call) {
  const Circulant given = read(call);
  return circulant_facts(given.spec, given.nodes, given.jumps);
}

Topology build(const SpecCall& call) {
  const Circulant given = read(call);
  require_buildable(call, given.nodes, Int128{given.nodes} * 2 * given.jumps.size());
  return circulant_topology(given.spec, given.nodes, given.jumps);
}

// Links that leave an interval of `length` consecutive nodes.
Int128 cut_of_interval(uint64_t nodes, const std::vector<uint64_t>& jumps, uint64_t length) {
  Int128 out = 0;
  for (const uint64_t jump : jumps) {
    // Of the arcs that go forwards by `jump`, those that start in the interval and end outside; as many go
    // backwards. With jump <= n/2 and length <= n/2 none comes around.
    const Int128 forwards = std::min(jump, length);
    out += 2 * jump == nodes ? forwards : 2 * forwards;
  }
  return out;
}

}  // namespace
}  // namespace circulant_parts

std::vector<uint64_t> reduced_jumps(uint64_t nodes, const std::vector<uint64_t>& jumps) {
  std::vector<uint64_t> out;
  out.reserve(jumps.size());
  for (const uint64_t jump : jumps) out.push_back(std::min(jump % nodes, nodes - jump % nodes));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Topology circulant_topology(std::string spec, uint64_t nodes, const std::vector<uint64_t>& jumps) {
  TopologyBuilder builder(std::move(spec), nodes);
  std::vector<uint32_t> generators;
  for (const uint64_t jump : jumps) {
    generators.push_back(static_cast<uint32_t>(jump));
    if (2 * jump != nodes) generators.push_back(static_cast<uint32_t>(nodes - jump));
  }
  builder.cayley(abelian_group({static_cast<uint32_t>(nodes)}), std::move(generators));
  return builder.build();
}

TopologyFacts circulant_facts(std::string spec, uint64_t nodes, const std::vector<uint64_t>& jumps) {
  const Int128 n = nodes;
  const bool half = !jumps.empty() && 2 * jumps.back() == nodes;
  const Int128 degree = Int128{2 * jumps.size()} - (half ? 1 : 0);
  TopologyFacts out;
  out.spec = std::move(spec);
  out.nodes = out.endpoints = n;
  out.links = n * degree / 2;
  set_symmetric(out, degree, std::nullopt, std::nullopt, fmt::format("Z_{}", nodes));
  out.bisection = Bisection{.capacity = circulant_parts::cut_of_interval(nodes, jumps, nodes / 2),
                            .proved = degree <= 2 || degree == n - 1,
                            .reason = nodes == 1 ? "one node" : "half of the circle",
                            .free_middle = nodes % 2 != 0};
  // A circulant with one jump is a ring in another order: the interval is not its best cut.
  if (jumps.size() == 1 && nodes > 2) {
    out.bisection->capacity = 2;
    out.bisection->reason = "half of the ring that the jump makes";
  }
  return out;
}

// Distance of a displacement a <= n/2 is ceil(a / rho): rings of 2 rho nodes each, q full ones and a rest.
TopologyFacts extended_ring_facts(uint64_t nodes, uint64_t rho) {
  std::vector<uint64_t> jumps(rho);
  std::iota(jumps.begin(), jumps.end(), uint64_t{1});
  TopologyFacts out = circulant_facts(fmt::format("extended_ring({},{})", nodes, rho), nodes, jumps);
  const Int128 n = nodes;
  const Int128 diameter = nodes == 1 ? 0 : (n / 2 + rho - 1) / rho;
  const Int128 q = nodes == 1 ? 0 : (n - 1) / (2 * Int128{rho});
  const Int128 status = (q + 1) * (n - 1 - rho * q);
  set_symmetric(out, *out.min_degree, diameter, status, out.group);
  return out;
}

Topology extended_ring_topology(uint64_t nodes, uint64_t rho) {
  std::vector<uint64_t> jumps(rho);
  std::iota(jumps.begin(), jumps.end(), uint64_t{1});
  return circulant_topology(fmt::format("extended_ring({},{})", nodes, rho), nodes, jumps);
}

namespace families {

extern const Family circulant;

constinit const Family circulant = {
    .name = "circulant",
    .summary = "nodes in a circle, linked at given distances",
    .syntax = circulant_parts::kSyntax,
    .parameters = "n: number of nodes; j1,j2,..: jumps, each both ways, together reaching every node",
    .numbering = "around the circle",
    .source = "",
    .samples = circulant_parts::kSamples,
    .build = circulant_parts::build,
    .facts = circulant_parts::facts,
};

}  // namespace families

}  // namespace quadrille
