#include "quadrille/topology/products/cartesian_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/cayley/direct_product_group.h"
#include "quadrille/topology/link_rates.h"

namespace quadrille {
namespace {

// What the factors' files say of bandwidths and latencies holds for their links in the product. Factors of which nothing is
// said have links that carry their capacity, in the unit of the others.
std::shared_ptr<const LinkRates> rates_of(const std::vector<Topology>& factors, const Topology& product,
                                          std::vector<std::string>& remarks) {
  auto out = std::make_shared<LinkRates>();
  bool has_latency = false;
  for (const Topology& factor : factors) {
    const LinkRates* const rates = factor.link_rates();
    if (rates == nullptr) continue;
    has_latency = has_latency || !rates->latency.empty();
    out->rounded = out->rounded || rates->rounded;
    if (rates->bandwidth.empty() || rates->unit_bandwidth == out->unit_bandwidth) continue;
    if (out->unit_bandwidth > 0) {
      remarks.push_back(fmt::format(
          "capacity 1 is {} MB/s in one factor and {} MB/s in another: bandwidths and latencies are not "
          "used; say the same unit in both",
          out->unit_bandwidth, rates->unit_bandwidth));
      return nullptr;
    }
    out->unit_bandwidth = rates->unit_bandwidth;
  }
  const ProductStructure& structure = *product.product();
  for (const ArcId arc : product.arcs()) {
    size_t d = 0;
    while (structure.coordinate(product.tail(arc), d) == structure.coordinate(product.head(arc), d)) ++d;
    const Topology& factor = factors[d];
    const size_t there = index(*factor.find_arc(NodeId{structure.coordinate(product.tail(arc), d)},
                                                NodeId{structure.coordinate(product.head(arc), d)}));
    const LinkRates* const rates = factor.link_rates();
    if (out->unit_bandwidth > 0) {
      const bool said = rates != nullptr && !rates->bandwidth.empty();
      out->bandwidth.push_back(said ? rates->bandwidth[there] : product.capacity(arc) * out->unit_bandwidth);
    }
    if (has_latency)
      out->latency.push_back(rates != nullptr && !rates->latency.empty() ? rates->latency[there] : 0);
  }
  return out;
}

Topology with_rates_of(const std::vector<Topology>& factors, Topology product) {
  std::vector<std::string> remarks;
  bool any = false;
  for (const Topology& factor : factors) {
    any = any || factor.link_rates() != nullptr;
    for (const std::string& remark : factor.remarks())
      if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(remark);
  }
  if (!any && remarks.empty()) return product;
  std::shared_ptr<const LinkRates> rates = any ? rates_of(factors, product, remarks) : nullptr;
  return product.with(std::move(rates), std::move(remarks));
}

}  // namespace

std::vector<uint32_t> product_generators(const std::vector<Topology>& factors) {
  std::vector<uint32_t> generators;
  uint32_t stride = 1;
  for (size_t i = factors.size(); i-- > 0;) {
    for (const uint32_t g : factors[i].cayley()->generators) generators.push_back(g * stride);
    stride *= factors[i].num_nodes();
  }
  return generators;
}

std::vector<Topology> flattened(const std::vector<Topology>& factors) {
  std::vector<Topology> flat;
  for (const Topology& factor : factors) {
    if (const ProductStructure* inner = factor.product()) {
      flat.insert(flat.end(), inner->factors.begin(), inner->factors.end());
    } else {
      flat.push_back(factor);
    }
  }
  return flat;
}

Topology cartesian_product(std::string name, const std::vector<Topology>& given) {
  const std::vector<Topology> factors = flattened(given);
  uint64_t nodes = 1;
  uint64_t arcs = 0;
  for (const Topology& factor : factors) {
    // Both stay below 2^64: each factor is below 2^32, and the sizes are checked before they can grow
    // further.
    arcs = arcs * factor.num_nodes() + nodes * factor.num_arcs();
    nodes *= factor.num_nodes();
    if (nodes >= kMaxIds || arcs >= kMaxIds) {
      throw InputError(
          fmt::format("{} has too many nodes or links: at most {} can be numbered", name, kMaxIds - 1));
    }
  }
  TopologyBuilder builder(std::move(name), nodes);
  builder.reserve_arcs(arcs);
  uint64_t stride = nodes;
  for (const Topology& factor : factors) {
    const uint64_t block = stride;
    stride /= factor.num_nodes();
    for (uint64_t base = 0; base < nodes; base += block) {
      for (const ArcId arc : factor.arcs()) {
        const uint64_t tail = base + index(factor.tail(arc)) * stride;
        const uint64_t head = base + index(factor.head(arc)) * stride;
        for (uint64_t inner = 0; inner < stride; ++inner) {
          builder.arc(id_at<NodeId>(tail + inner), id_at<NodeId>(head + inner), factor.capacity(arc));
        }
      }
    }
  }
  if (std::any_of(factors.begin(), factors.end(), [](const Topology& f) { return f.has_routers(); })) {
    std::vector<NodeId> endpoints{NodeId{0}};
    for (const Topology& factor : factors) {
      std::vector<NodeId> longer;
      longer.reserve(endpoints.size() * factor.num_endpoints());
      for (const NodeId prefix : endpoints) {
        for (const NodeId e : factor.endpoints()) {
          longer.push_back(id_at<NodeId>(index(prefix) * factor.num_nodes() + index(e)));
        }
      }
      endpoints = std::move(longer);
    }
    builder.endpoints(std::move(endpoints));
  }
  builder.product(factors);
  if (std::all_of(factors.begin(), factors.end(), [](const Topology& f) { return f.cayley() != nullptr; })) {
    std::vector<std::shared_ptr<const Group>> groups;
    for (const Topology& factor : factors) groups.push_back(factor.cayley()->group);
    builder.also_cayley(direct_product(std::move(groups)), product_generators(factors));
  }
  return with_rates_of(factors, builder.build());
}

}  // namespace quadrille
