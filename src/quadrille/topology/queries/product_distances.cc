#include "quadrille/topology/queries/product_distances.h"

#include <algorithm>
#include <utility>

#include "quadrille/topology/queries/distances.h"

namespace quadrille {

ProductDistances product_distances(const Topology& product, NodeId node, bool towards) {
  const ProductStructure& structure = *product.product();
  ProductDistances out{.nodes_at = {1}};
  uint64_t farthest = 0;
  for (size_t i = 0; i < structure.factors.size(); ++i) {
    const Topology& factor = structure.factors[i];
    const NodeId here{structure.coordinate(node, i)};
    const std::vector<uint32_t> hops = towards ? distances_to(factor, here) : distances_from(factor, here);
    const auto far = std::max_element(hops.begin(), hops.end());
    farthest += uint64_t{structure.strides[i]} * static_cast<uint64_t>(far - hops.begin());
    std::vector<uint64_t> at(*far + size_t{1}, 0);
    for (const uint32_t h : hops) ++at[h];
    std::vector<uint64_t> sums(out.nodes_at.size() + at.size() - 1, 0);
    for (size_t a = 0; a < out.nodes_at.size(); ++a)
      for (size_t b = 0; b < at.size(); ++b) sums[a + b] += out.nodes_at[a] * at[b];
    out.nodes_at = std::move(sums);
  }
  out.farthest = id_at<NodeId>(farthest);
  for (size_t d = 0; d < out.nodes_at.size(); ++d) out.sum += UInt128{out.nodes_at[d]} * d;
  return out;
}

}  // namespace quadrille
