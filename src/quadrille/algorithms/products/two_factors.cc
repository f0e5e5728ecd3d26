#include "quadrille/algorithms/products/two_factors.h"

#include <fmt/format.h>

#include "quadrille/base/check.h"
#include "quadrille/topology/products/cartesian_product.h"

namespace quadrille {
namespace {

Topology part_of(const Topology& product, size_t begin, size_t end) {
  const std::vector<Topology>& factors = product.product()->factors;
  if (end - begin == 1) return factors[begin];
  return cartesian_product(
      fmt::format("dimensions {} to {} of {}", begin + 1, end, product.name()),
      {factors.begin() + static_cast<ptrdiff_t>(begin), factors.begin() + static_cast<ptrdiff_t>(end)});
}

}  // namespace

TwoFactors::TwoFactors(const Topology& product, size_t split)
    : a_(part_of(product, 0, split)),
      b_(part_of(product, split, product.product()->factors.size())),
      n1_(a_.num_nodes()),
      n2_(b_.num_nodes()) {
  QUADRILLE_CHECK(product.product()->strides.back() == 1, "the last coordinate is the fastest");
  const auto arc = [&](uint32_t tail, uint32_t head) {
    return *product.find_arc(NodeId{tail}, NodeId{head});
  };
  in_a_.reserve(size_t{a_.num_arcs()} * n2_);
  for (const ArcId a : a_.arcs())
    for (uint32_t j = 0; j < n2_; ++j)
      in_a_.push_back(arc(node(static_cast<uint32_t>(index(a_.tail(a))), j),
                          node(static_cast<uint32_t>(index(a_.head(a))), j)));
  in_b_.reserve(size_t{b_.num_arcs()} * n1_);
  for (const ArcId b : b_.arcs())
    for (uint32_t i = 0; i < n1_; ++i)
      in_b_.push_back(arc(node(i, static_cast<uint32_t>(index(b_.tail(b)))),
                          node(i, static_cast<uint32_t>(index(b_.head(b))))));
}

}  // namespace quadrille
