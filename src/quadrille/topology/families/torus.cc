#include "quadrille/topology/families/torus.h"

#include <algorithm>

#include "quadrille/topology/families/product_family.h"
#include "quadrille/topology/families/ring.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace torus_parts {
namespace {

constexpr std::string_view kSyntax = "torus(n1,..,nd)";
constexpr std::string_view kSamples[] = {
    "torus(1)",   "torus(5)",     "torus(2,2)", "torus(3,3)",   "torus(4,4)",   "torus(5,3)", "torus(6,4)",
    "torus(2,5)", "torus(1,3,2)", "torus(3,6)", "torus(3,4,2)", "torus(3,3,3)", "torus(5,5)"};

TopologyFacts facts(const SpecCall& call) { return torus_facts(read_only_numbers(call, "side", kSyntax)); }

Topology build(const SpecCall& call) {
  return torus_topology(call, read_only_numbers(call, "side", kSyntax));
}

Topology outline(const SpecCall& call) {
  return torus_outline(call, read_only_numbers(call, "side", kSyntax));
}

}  // namespace
}  // namespace torus_parts

TopologyFacts torus_facts(const std::vector<uint64_t>& sides) {
  TopologyFacts out = facts_of_product(spec_text("torus", sides), sides, ring_facts);
  // The theorem is about proper rings; sides of 1 change nothing, sides of 2 are single links.
  const bool proper = std::none_of(sides.begin(), sides.end(), [](uint64_t n) { return n == 2; });
  if (out.bisection && !out.bisection->proved && proper) {
    out.bisection->proved = true;
    out.bisection->reason += "; Aroca and Fernandez Anta 2014";
  }
  return out;
}

Topology torus_topology(const SpecCall& call, const std::vector<uint64_t>& sides) {
  return build_product(call, torus_facts(sides), sides, ring_topology);
}

Topology torus_outline(const SpecCall& call, const std::vector<uint64_t>& sides) {
  return outline_product(call, torus_facts(sides), sides, ring_topology, ring_facts);
}

namespace families {

extern const Family torus;

constinit const Family torus = {
    .name = "torus",
    .summary = "rings crossed: a grid that wraps around in every dimension",
    .syntax = torus_parts::kSyntax,
    .parameters =
        "n1,..,nd: sides, each at least 1; a side of 2 is a single link; torus(4^3) is torus(4,4,4)",
    .numbering = "coordinates in row-major order, the last one fastest",
    .source =
        "bisection: a total exchange proves it where the longest side is even; else J. A. Aroca, A. Fernandez "
        "Anta, Bisection (band)width of product networks, IEEE TPDS 25 (2014)",
    .samples = torus_parts::kSamples,
    .build = torus_parts::build,
    .facts = torus_parts::facts,
    .outline = torus_parts::outline,
};

}  // namespace families

}  // namespace quadrille
