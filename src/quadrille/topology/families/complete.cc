#include "quadrille/topology/families/complete.h"

#include <fmt/format.h>

#include <numeric>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace complete_parts {
namespace {

constexpr std::string_view kSyntax = "complete(n)";
constexpr std::string_view kAliases[] = {"clique", "fully_connected"};
constexpr std::string_view kSamples[] = {"complete(1)", "complete(2)", "complete(4)", "complete(5)",
                                         "complete(6)"};

uint64_t size_of(const SpecCall& call) { return read_only_number(call, "number of nodes", kSyntax); }

Topology build(const SpecCall& call) {
  const uint64_t n = size_of(call);
  require_buildable(call, n, Int128{n} * (n - 1));
  return complete_graph_topology(n);
}

TopologyFacts facts(const SpecCall& call) { return complete_graph_facts(size_of(call)); }

}  // namespace
}  // namespace complete_parts

Topology complete_graph_topology(uint64_t nodes) {
  TopologyBuilder builder(spec_text("complete", {nodes}), nodes);
  const auto n = static_cast<uint32_t>(nodes);
  std::vector<uint32_t> generators(n - 1);
  std::iota(generators.begin(), generators.end(), 1U);
  builder.cayley(abelian_group({n}), std::move(generators));
  return builder.build();
}

TopologyFacts complete_graph_facts(uint64_t nodes) {
  const Int128 n = nodes;
  TopologyFacts out;
  out.spec = spec_text("complete", {nodes});
  out.nodes = out.endpoints = n;
  out.links = n * (n - 1) / 2;
  set_symmetric(out, n - 1, n == 1 ? 0 : 1, n - 1, fmt::format("Z_{}", nodes));
  out.exchange_load = n == 1 ? Rational(0) : Rational(1);
  out.bisection = Bisection{.capacity = (n / 2) * (n - n / 2),
                            .proved = true,
                            .reason = "all halves are alike",
                            .free_middle = n % 2 != 0};
  return out;
}

namespace families {

extern const Family complete;

constinit const Family complete = {
    .name = "complete",
    .summary = "every two nodes are linked",
    .syntax = complete_parts::kSyntax,
    .parameters = "n: number of nodes, at least 1",
    .numbering = "any: all nodes are alike",
    .source = "",
    .aliases = complete_parts::kAliases,
    .samples = complete_parts::kSamples,
    .build = complete_parts::build,
    .facts = complete_parts::facts,
};

}  // namespace families

}  // namespace quadrille
