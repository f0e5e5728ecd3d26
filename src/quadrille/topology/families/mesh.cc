#include "quadrille/topology/families/line.h"
#include "quadrille/topology/families/product_family.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace mesh_parts {
namespace {

constexpr std::string_view kSyntax = "mesh(n1,..,nd)";
constexpr std::string_view kAliases[] = {"grid"};
constexpr std::string_view kSamples[] = {"mesh(1)",     "mesh(4)",   "mesh(2,2)", "mesh(3,3)",
                                         "mesh(3,1,2)", "mesh(4,6)", "mesh(5,3)", "mesh(2,3,2)",
                                         "mesh(3,3,3)", "mesh(4,4)"};

TopologyFacts facts(const SpecCall& call) {
  const std::vector<uint64_t> sides = read_only_numbers(call, "side", kSyntax);
  TopologyFacts out = facts_of_product(spec_text("mesh", sides), sides, line_facts);
  if (out.bisection && !out.bisection->proved) {
    out.bisection->proved = true;
    out.bisection->reason += "; Azizoglu and Egecioglu 2004";
  }
  return out;
}

Topology build(const SpecCall& call) {
  return build_product(call, facts(call), read_only_numbers(call, "side", kSyntax), line_topology);
}

Topology outline(const SpecCall& call) {
  return outline_product(call, facts(call), read_only_numbers(call, "side", kSyntax), line_topology,
                         line_facts);
}

}  // namespace
}  // namespace mesh_parts

namespace families {

extern const Family mesh;

constinit const Family mesh = {
    .name = "mesh",
    .summary = "lines crossed: a grid in any number of dimensions",
    .syntax = mesh_parts::kSyntax,
    .parameters = "n1,..,nd: sides, each at least 1; mesh(4^3) is mesh(4,4,4)",
    .numbering = "coordinates in row-major order, the last one fastest",
    .source =
        "bisection: M. C. Azizoglu, O. Egecioglu, The bisection width and the isoperimetric number of arrays, "
        "Discrete Applied Mathematics 138 (2004)",
    .aliases = mesh_parts::kAliases,
    .samples = mesh_parts::kSamples,
    .build = mesh_parts::build,
    .facts = mesh_parts::facts,
    .outline = mesh_parts::outline,
};

}  // namespace families

}  // namespace quadrille
