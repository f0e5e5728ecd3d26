#include "quadrille/topology/families/product_family.h"

#include "quadrille/topology/products/cartesian_product.h"
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

TopologyFacts facts_of_product(std::string spec, const std::vector<uint64_t>& sizes,
                               TopologyFacts (*factor)(uint64_t)) {
  std::vector<TopologyFacts> factors;
  factors.reserve(sizes.size());
  for (const uint64_t n : sizes) factors.push_back(factor(n));
  return product_facts(std::move(spec), factors);
}

}  // namespace quadrille
