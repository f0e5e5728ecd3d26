#include <algorithm>

#include "quadrille/topology/families/complete.h"
#include "quadrille/topology/families/product_family.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace generalized_hypercube_parts {
namespace {

constexpr std::string_view kSyntax = "generalized_hypercube(m1,..,md)";
constexpr std::string_view kAliases[] = {"hamming", "hyperx"};
constexpr std::string_view kSamples[] = {"generalized_hypercube(1)",     "generalized_hypercube(2,3)",
                                         "generalized_hypercube(3,3)",   "generalized_hypercube(4,3)",
                                         "generalized_hypercube(2,3,2)", "generalized_hypercube(5,3)",
                                         "generalized_hypercube(3,3,3)"};

TopologyFacts facts(const SpecCall& call) {
  const std::vector<uint64_t> sides = read_only_numbers(call, "side", kSyntax);
  TopologyFacts out =
      facts_of_product(spec_text("generalized_hypercube", sides), sides, complete_graph_facts);
  const bool equal = std::all_of(sides.begin(), sides.end(), [&](uint64_t m) { return m == sides[0]; });
  if (out.bisection && !out.bisection->proved && equal) {
    out.bisection->proved = true;
    out.bisection->reason += "; Nakano 2003";
  }
  return out;
}

Topology build(const SpecCall& call) {
  return build_product(call, facts(call), read_only_numbers(call, "side", kSyntax), complete_graph_topology);
}

Topology outline(const SpecCall& call) {
  return outline_product(call, facts(call), read_only_numbers(call, "side", kSyntax), complete_graph_topology,
                         complete_graph_facts);
}

}  // namespace
}  // namespace generalized_hypercube_parts

namespace families {

extern const Family generalized_hypercube;

constinit const Family generalized_hypercube = {
    .name = "generalized_hypercube",
    .summary = "complete graphs crossed: nodes that differ in one coordinate are linked",
    .syntax = generalized_hypercube_parts::kSyntax,
    .parameters = "m1,..,md: sides, each at least 1",
    .numbering = "coordinates in row-major order, the last one fastest",
    .source =
        "bisection: a total exchange proves it where the shortest side is even; for equal sides K. Nakano, "
        "Linear layout of generalized hypercubes, Int. J. Found. Comput. Sci. 14 (2003)",
    .aliases = generalized_hypercube_parts::kAliases,
    .samples = generalized_hypercube_parts::kSamples,
    .build = generalized_hypercube_parts::build,
    .facts = generalized_hypercube_parts::facts,
    .outline = generalized_hypercube_parts::outline,
};

}  // namespace families

}  // namespace quadrille
