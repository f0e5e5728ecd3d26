#include "quadrille/topology/families/product_family.h"

#include <fmt/format.h>

#include <map>

#include "quadrille/topology/products/cartesian_product.h"
#include "quadrille/topology/products/outline.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {

Topology build_product(const SpecCall& call, const TopologyFacts& facts, const std::vector<uint64_t>& sizes,
                       Topology (*factor)(uint64_t)) {
  require_buildable(call, facts.nodes, 2 * facts.links);
  std::vector<Topology> factors;
  factors.reserve(sizes.size());
  for (const uint64_t n : sizes) factors.push_back(factor(n));
  return cartesian_product(facts.spec, factors);
}

Topology outline_product(const SpecCall& call, const TopologyFacts& facts, const std::vector<uint64_t>& sizes,
                         Topology (*factor)(uint64_t), TopologyFacts (*factor_facts)(uint64_t)) {
  // Of equal factors one is built.
  std::map<uint64_t, Topology> built;
  std::vector<Topology> factors;
  require_numbered(call, facts.nodes);
  for (const uint64_t n : sizes) {
    auto at = built.find(n);
    if (at == built.end()) {
      const TopologyFacts known = factor_facts(n);
      if (2 * known.links > Int128{kMostArcsForFigures}) {
        throw call.error(call.where,
                         fmt::format("{}, a factor, has {} arcs; of a factor at most {} can be listed",
                                     known.spec, to_string(2 * known.links), kMostArcsForFigures));
      }
      at = built.emplace(n, factor(n)).first;
    }
    factors.push_back(at->second);
  }
  return product_outline(facts.spec, factors);
}

TopologyFacts facts_of_product(std::string spec, const std::vector<uint64_t>& sizes,
                               TopologyFacts (*factor)(uint64_t)) {
  std::vector<TopologyFacts> factors;
  factors.reserve(sizes.size());
  for (const uint64_t n : sizes) factors.push_back(factor(n));
  return product_facts(std::move(spec), factors);
}

}  // namespace quadrille
