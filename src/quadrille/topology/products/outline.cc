#include "quadrille/topology/products/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/topology/cayley/direct_product_group.h"
#include "quadrille/topology/products/cartesian_product.h"

namespace quadrille {

Topology product_outline(std::string name, const std::vector<Topology>& given) {
  const std::vector<Topology> factors = flattened(given);
  uint64_t nodes = 1;
  for (const Topology& factor : factors) {
    if (factor.has_routers() || factor.link_rates() != nullptr) {
      throw InputError(fmt::format(
          "{} is too large to be listed, and {} keeps it from being outlined: it has {}", name, factor.name(),
          factor.has_routers() ? "routers" : "bandwidths or latencies of its own"));
    }
    nodes *= factor.num_nodes();
    if (nodes >= kMaxIds)
      throw InputError(fmt::format("{} has too many nodes: at most {} can be numbered", name, kMaxIds - 1));
  }
  TopologyBuilder builder(std::move(name), nodes);
  builder.product(factors);
  if (std::ranges::all_of(factors, [](const Topology& f) { return f.cayley() != nullptr; })) {
    std::vector<std::shared_ptr<const Group>> groups;
    for (const Topology& factor : factors) groups.push_back(factor.cayley()->group);
    builder.also_cayley(direct_product(std::move(groups)), product_generators(factors));
  }
  return builder.build_outline();
}

}  // namespace quadrille
