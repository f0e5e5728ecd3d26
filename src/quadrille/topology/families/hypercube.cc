#include "quadrille/topology/families/complete.h"
#include "quadrille/topology/families/product_family.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace hypercube_parts {
namespace {

constexpr std::string_view kSyntax = "hypercube(d)";
constexpr std::string_view kAliases[] = {"binary_cube", "cube"};
constexpr std::string_view kSamples[] = {"hypercube(1)", "hypercube(2)", "hypercube(3)", "hypercube(4)"};

std::vector<uint64_t> sides_of(const SpecCall& call) {
  const uint64_t d = read_only_number(call, "number of dimensions", kSyntax, 1, kMaxDimensions);
  return std::vector<uint64_t>(d, 2);
}

TopologyFacts facts(const SpecCall& call) {
  const std::vector<uint64_t> sides = sides_of(call);
  return facts_of_product(spec_text("hypercube", {sides.size()}), sides, complete_graph_facts);
}

Topology build(const SpecCall& call) {
  return build_product(call, facts(call), sides_of(call), complete_graph_topology);
}

Topology outline(const SpecCall& call) {
  return outline_product(call, facts(call), sides_of(call), complete_graph_topology, complete_graph_facts);
}

}  // namespace
}  // namespace hypercube_parts

namespace families {

extern const Family hypercube;

constinit const Family hypercube = {
    .name = "hypercube",
    .summary = "2^d nodes, linked where their numbers differ in one bit",
    .syntax = hypercube_parts::kSyntax,
    .parameters = "d: number of dimensions, at least 1",
    .numbering = "by the bits of a node, most significant first",
    .source = "",
    .aliases = hypercube_parts::kAliases,
    .samples = hypercube_parts::kSamples,
    .build = hypercube_parts::build,
    .facts = hypercube_parts::facts,
    .outline = hypercube_parts::outline,
};

}  // namespace families

}  // namespace quadrille
