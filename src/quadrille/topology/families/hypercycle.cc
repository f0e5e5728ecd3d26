#include <fmt/format.h>

#include "quadrille/topology/families/circulant.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/products/cartesian_product.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace hypercycle_parts {
namespace {

constexpr std::string_view kSyntax = "hypercycle(n1:rho1,..,nd:rhod)";
constexpr std::string_view kSamples[] = {"hypercycle(1:0)",     "hypercycle(5:2)",
                                         "hypercycle(6:2,2:1)", "hypercycle(5:2,3:1)",
                                         "hypercycle(4:2,4:1)", "hypercycle(7:2,3:1,2:1)"};
constexpr uint64_t kMaxReach = 1'000'000;

std::vector<TopologyFacts> factors_of(const SpecCall& call) {
  expect_sections(call, 1, 1, kSyntax);
  const SpecSection& given = call.sections[0];
  if (given.args.empty() || given.args.size() > kMaxDimensions) {
    throw call.error(given.where,
                     fmt::format("hypercycle has 1 to {} dimensions: {}", kMaxDimensions, kSyntax));
  }
  std::vector<TopologyFacts> out;
  for (const Arg& arg : given.args) {
    if (arg.kind != ArgKind::kPair) {
      throw call.error(arg.where,
                       fmt::format("a dimension is a number of nodes and a reach, like 14:2, not '{}'",
                                   call.quote(arg.where)));
    }
    if (arg.number == 0 || arg.number > kMaxSize) {
      throw call.error(arg.where,
                       fmt::format("the number of nodes is {}, it must be 1 to {}", arg.number, kMaxSize));
    }
    const uint64_t least = arg.number == 1 ? 0 : 1;
    if (arg.second < least || arg.second > arg.number / 2 || arg.second > kMaxReach) {
      throw call.error(arg.where,
                       fmt::format("the reach is {}, among {} nodes it must be {} to {}", arg.second,
                                   arg.number, least, std::min(arg.number / 2, kMaxReach)));
    }
    out.push_back(extended_ring_facts(arg.number, arg.second));
  }
  return out;
}

TopologyFacts facts(const SpecCall& call) {
  std::vector<TopologyFacts> factors = factors_of(call);
  std::vector<std::string> pairs;
  for (const Arg& arg : call.sections[0].args) pairs.push_back(fmt::format("{}:{}", arg.number, arg.second));
  return product_facts(fmt::format("hypercycle({})", fmt::join(pairs, ",")), factors);
}

Topology build(const SpecCall& call) {
  const TopologyFacts known = facts(call);
  require_buildable(call, known.nodes, 2 * known.links);
  std::vector<Topology> factors;
  for (const Arg& arg : call.sections[0].args)
    factors.push_back(extended_ring_topology(arg.number, arg.second));
  return cartesian_product(known.spec, factors);
}

}  // namespace
}  // namespace hypercycle_parts

namespace families {

extern const Family hypercycle;

constinit const Family hypercycle = {
    .name = "hypercycle",
    .summary = "extended rings crossed",
    .syntax = hypercycle_parts::kSyntax,
    .parameters = "n:rho per dimension: number of nodes and reach, as in extended_ring(n,rho)",
    .numbering = "coordinates in row-major order, the last one fastest",
    .source = "",
    .samples = hypercycle_parts::kSamples,
    .build = hypercycle_parts::build,
    .facts = hypercycle_parts::facts,
};

}  // namespace families

}  // namespace quadrille
