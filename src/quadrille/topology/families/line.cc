#include "quadrille/topology/families/line.h"

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace line_parts {
namespace {

constexpr std::string_view kSyntax = "line(n)";
constexpr std::string_view kAliases[] = {"array", "linear_array", "path"};
constexpr std::string_view kSamples[] = {"line(1)", "line(2)", "line(3)", "line(6)", "line(8)"};

uint64_t size_of(const SpecCall& call) { return read_only_number(call, "number of nodes", kSyntax); }

Topology build(const SpecCall& call) {
  const uint64_t n = size_of(call);
  require_buildable(call, n, Int128{2} * (n - 1));
  return line_topology(n);
}

TopologyFacts facts(const SpecCall& call) { return line_facts(size_of(call)); }

}  // namespace
}  // namespace line_parts

Topology line_topology(uint64_t nodes) {
  TopologyBuilder builder(spec_text("line", {nodes}), nodes);
  if (nodes <= 2) {
    const auto n = static_cast<uint32_t>(nodes);
    builder.cayley(abelian_group({n}), nodes == 2 ? std::vector<uint32_t>{1} : std::vector<uint32_t>{});
  } else {
    builder.reserve_arcs(2 * (nodes - 1));
    for (uint64_t v = 0; v + 1 < nodes; ++v) builder.link(id_at<NodeId>(v), id_at<NodeId>(v + 1));
  }
  return builder.build();
}

TopologyFacts line_facts(uint64_t nodes) {
  const Int128 n = nodes;
  TopologyFacts out;
  out.spec = spec_text("line", {nodes});
  out.nodes = out.endpoints = n;
  out.links = n - 1;
  out.min_degree = n == 1 ? 0 : 1;
  out.max_degree = n == 1 ? 0 : n == 2 ? 1 : 2;
  out.diameter = n - 1;
  out.min_status = n * n / 4;
  out.max_status = n * (n - 1) / 2;
  out.average_status = Rational::of(n * n - 1, 3);
  out.node_symmetric = n <= 2;
  if (n <= 2) out.group = abelian_group({static_cast<uint32_t>(nodes)})->name();
  out.exchange_load = Rational::of((n / 2) * (n - n / 2), 1);
  out.bisection = Bisection{.capacity = n == 1 ? 0 : 1,
                            .proved = true,
                            .reason = n == 1 ? "one node" : "the middle link; a connected graph has no less",
                            .free_middle = n % 2 != 0};
  return out;
}

namespace families {

extern const Family line;

constinit const Family line = {
    .name = "line",
    .summary = "nodes in a row",
    .syntax = line_parts::kSyntax,
    .parameters = "n: number of nodes, at least 1",
    .numbering = "from one end to the other",
    .source = "",
    .aliases = line_parts::kAliases,
    .samples = line_parts::kSamples,
    .build = line_parts::build,
    .facts = line_parts::facts,
};

}  // namespace families

}  // namespace quadrille
