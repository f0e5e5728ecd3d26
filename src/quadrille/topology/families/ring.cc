#include "quadrille/topology/families/ring.h"

#include <fmt/format.h>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace ring_parts {
namespace {

constexpr std::string_view kSyntax = "ring(n)";
constexpr std::string_view kAliases[] = {"cycle"};
constexpr std::string_view kSamples[] = {"ring(1)", "ring(2)", "ring(3)", "ring(4)", "ring(6)", "ring(9)"};

uint64_t size_of(const SpecCall& call) { return read_only_number(call, "number of nodes", kSyntax); }

Topology build(const SpecCall& call) {
  const uint64_t n = size_of(call);
  require_buildable(call, n, Int128{2} * n);
  return ring_topology(n);
}

TopologyFacts facts(const SpecCall& call) { return ring_facts(size_of(call)); }

}  // namespace
}  // namespace ring_parts

Topology ring_topology(uint64_t nodes) {
  TopologyBuilder builder(spec_text("ring", {nodes}), nodes);
  const auto n = static_cast<uint32_t>(nodes);
  std::vector<uint32_t> generators;
  if (n >= 2) generators.push_back(1);
  if (n >= 3) generators.push_back(n - 1);
  builder.cayley(abelian_group({n}), std::move(generators));
  return builder.build();
}

TopologyFacts ring_facts(uint64_t nodes) {
  const Int128 n = nodes;
  TopologyFacts out;
  out.spec = spec_text("ring", {nodes});
  out.nodes = out.endpoints = n;
  out.links = n <= 2 ? n - 1 : n;
  set_symmetric(out, n <= 2 ? n - 1 : 2, n / 2, n * n / 4, fmt::format("Z_{}", nodes));
  out.exchange_load = n == 1 ? Rational(0) : n == 2 ? Rational(1) : Rational::of(n * n / 4, 2);
  out.bisection = Bisection{.capacity = n <= 2 ? n - 1 : 2,
                            .proved = true,
                            .reason = n == 1 ? "one node" : "two opposite links; a ring has no bridge",
                            .free_middle = n % 2 != 0};
  if (n == 2) out.bisection->reason = "the only link";
  return out;
}

namespace families {

extern const Family ring;

constinit const Family ring = {
    .name = "ring",
    .summary = "nodes in a circle",
    .syntax = ring_parts::kSyntax,
    .parameters = "n: number of nodes, at least 1; ring(2) is a single link",
    .numbering = "around the circle",
    .source = "",
    .aliases = ring_parts::kAliases,
    .samples = ring_parts::kSamples,
    .build = ring_parts::build,
    .facts = ring_parts::facts,
};

}  // namespace families

}  // namespace quadrille
