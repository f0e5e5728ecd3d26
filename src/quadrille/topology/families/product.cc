#include <fmt/format.h>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/products/cartesian_product.h"
#include "quadrille/topology/products/outline.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace product_parts {
namespace {

constexpr std::string_view kSyntax = "product(topology,topology,..)";
constexpr std::string_view kSamples[] = {"product(ring(4),complete(3))",
                                         "product(line(3),ring(4))",
                                         "product(ring(3))",
                                         "product(torus(2,3),line(1),complete(2))",
                                         "product(fat_tree(2^2),ring(3))",
                                         "product(fat_tree(3),line(2))"};

const std::vector<Arg>& factors_of(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  const SpecSection& given = call.sections[0];
  if (given.args.empty()) {
    throw call.error({given.where.begin, given.where.begin + 1},
                     fmt::format("product needs at least one topology: {}", kSyntax));
  }
  if (given.args.size() > kMaxDimensions) {
    throw call.error(given.args[kMaxDimensions].where,
                     fmt::format("product can have at most {} factors", kMaxDimensions));
  }
  for (const Arg& arg : given.args) {
    if (arg.kind != ArgKind::kCall) {
      throw call.error(arg.where,
                       fmt::format("a factor is a topology like ring(4), not '{}'", call.quote(arg.where)));
    }
  }
  return given.args;
}

TopologyFacts facts(const SpecCall& call) {
  std::vector<TopologyFacts> factors;
  std::vector<std::string> specs;
  for (const Arg& arg : factors_of(call)) {
    factors.push_back(topology_facts(arg.call[0]));
    specs.push_back(factors.back().spec);
  }
  return product_facts(fmt::format("product({})", fmt::join(specs, ",")), factors);
}

Topology build(const SpecCall& call) {
  const TopologyFacts known = facts(call);
  require_buildable(call, known.nodes, 2 * known.links);
  std::vector<Topology> factors;
  for (const Arg& arg : factors_of(call)) factors.push_back(build_topology(arg.call[0]));
  return cartesian_product(known.spec, factors);
}

Topology outline(const SpecCall& call) {
  const TopologyFacts known = facts(call);
  require_numbered(call, known.nodes);
  std::vector<Topology> factors;
  for (const Arg& arg : factors_of(call)) factors.push_back(topology_for_figures(arg.call[0]));
  return product_outline(known.spec, factors);
}

}  // namespace
}  // namespace product_parts

namespace families {

extern const Family product;

constinit const Family product = {
    .name = "product",
    .summary = "the Cartesian product of any topologies",
    .syntax = product_parts::kSyntax,
    .parameters = "one or more topologies; a node is an endpoint where all its coordinates are",
    .numbering =
        "coordinates in row-major order, the last one fastest; factors that are products are flattened",
    .source = "",
    .samples = product_parts::kSamples,
    .build = product_parts::build,
    .facts = product_parts::facts,
    .outline = product_parts::outline,
};

}  // namespace families

}  // namespace quadrille
