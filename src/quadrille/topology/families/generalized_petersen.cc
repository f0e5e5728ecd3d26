#include <fmt/format.h>

#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace generalized_petersen_parts {
namespace {

constexpr std::string_view kSyntax = "generalized_petersen(n,k)";
constexpr std::string_view kSamples[] = {"generalized_petersen(3,1)", "generalized_petersen(5,2)",
                                         "generalized_petersen(7,2)", "generalized_petersen(8,3)",
                                         "generalized_petersen(10,2)"};

struct Petersen {
  uint64_t n;
  uint64_t k;
};

Petersen read(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  expect_arguments(call, 0, 2, kSyntax);
  const uint64_t n = read_number(call, call.sections[0].args[0], "number of outer nodes", 3);
  return {n, read_number(call, call.sections[0].args[1], "jump of the inner nodes", 1, (n - 1) / 2)};
}

// Frucht, Graver and Watkins 1971; for n = 10, k = 2 it is the dodecahedron.
bool is_node_symmetric(const Petersen& p) {
  const auto square = static_cast<uint64_t>((static_cast<UInt128>(p.k) * p.k) % p.n);
  return square == 1 || square == p.n - 1 || (p.n == 10 && p.k == 2);
}

TopologyFacts facts(const SpecCall& call) {
  const Petersen p = read(call);
  TopologyFacts out;
  out.spec = spec_text("generalized_petersen", {p.n, p.k});
  out.nodes = out.endpoints = Int128{2} * p.n;
  out.links = Int128{3} * p.n;
  out.min_degree = out.max_degree = Int128{3};
  out.node_symmetric = is_node_symmetric(p);
  return out;
}

Topology build(const SpecCall& call) {
  const Petersen p = read(call);
  require_buildable(call, Int128{2} * p.n, Int128{6} * p.n);
  TopologyBuilder builder(spec_text("generalized_petersen", {p.n, p.k}), 2 * p.n);
  const auto n = static_cast<uint32_t>(p.n);
  const auto k = static_cast<uint32_t>(p.k);
  for (uint32_t i = 0; i < n; ++i) {
    builder.link(NodeId{i}, NodeId{(i + 1) % n});
    builder.link(NodeId{i}, NodeId{n + i});
    builder.link(NodeId{n + i}, NodeId{n + (i + k) % n});
  }
  return builder.build();
}

}  // namespace
}  // namespace generalized_petersen_parts

namespace families {

extern const Family generalized_petersen;

constinit const Family generalized_petersen = {
    .name = "generalized_petersen",
    .summary = "an outer ring, an inner star polygon, and spokes between them",
    .syntax = generalized_petersen_parts::kSyntax,
    .parameters =
        "n: number of outer nodes, at least 3; k: jump of the inner nodes, 1 <= k < n/2; "
        "generalized_petersen(5,2) is the Petersen graph",
    .numbering = "outer nodes 0..n-1 around the ring; inner node n+i is linked to outer node i",
    .source =
        "node symmetry: R. Frucht, J. Graver, M. Watkins, The groups of the generalized Petersen graphs "
        "(1971)",
    .samples = generalized_petersen_parts::kSamples,
    .build = generalized_petersen_parts::build,
    .facts = generalized_petersen_parts::facts,
};

}  // namespace families

}  // namespace quadrille
