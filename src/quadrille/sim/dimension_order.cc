#include "quadrille/sim/dimension_order.h"

#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// Node x of a factor is linked to those that `linked` names, and to no others.
template <typename Linked>
bool has_links(const Topology& factor, Linked linked) {
  const uint32_t n = factor.num_nodes();
  for (const ArcId arc : factor.arcs()) {
    if (!linked(static_cast<uint32_t>(index(factor.tail(arc))),
                static_cast<uint32_t>(index(factor.head(arc)))))
      return false;
  }
  uint64_t wanted = 0;
  for (uint32_t a = 0; a < n; ++a) {
    // Neighbours by number are enough to count rings and lines; of a complete graph there are all pairs.
    if (linked(a, (a + 1) % n)) ++wanted;
    if (n > 2 && linked(a, (a + n - 1) % n)) ++wanted;
  }
  return factor.num_arcs() >= wanted;
}

std::optional<FactorShape> shape_of(const Topology& factor) {
  const uint32_t n = factor.num_nodes();
  const auto next = [n](uint32_t a, uint32_t b) { return a != b && ((a + 1) % n == b || (b + 1) % n == a); };
  const auto beside = [](uint32_t a, uint32_t b) { return a + 1 == b || b + 1 == a; };
  if (has_links(factor, beside)) return FactorShape::kLine;
  if (n > 2 && has_links(factor, next)) return FactorShape::kRing;
  if (factor.num_arcs() == uint64_t{n} * (n - 1)) return FactorShape::kComplete;
  return std::nullopt;
}

}  // namespace

std::optional<DimensionOrder> DimensionOrder::of(const Topology& network) {
  DimensionOrder order(network);
  const auto add = [&order](const Topology& factor, uint32_t stride) {
    const std::optional<FactorShape> shape = shape_of(factor);
    if (shape) order.factors_.push_back({*shape, factor.num_nodes(), stride});
    return shape.has_value();
  };
  if (const ProductStructure* product = network.product()) {
    for (size_t i = 0; i < product->factors.size(); ++i) {
      if (!add(product->factors[i], product->strides[i])) return std::nullopt;
    }
    return order;
  }
  if (network.has_routers() || !add(network, 1)) return std::nullopt;
  return order;
}

size_t DimensionOrder::dimension_of(ArcId arc) const {
  for (size_t k = 0; k < factors_.size(); ++k) {
    if (coordinate(network_.tail(arc), k) != coordinate(network_.head(arc), k)) return k;
  }
  QUADRILLE_CHECK(false, "an arc within no dimension");
  return 0;
}

void DimensionOrder::route(NodeId from, NodeId to, std::vector<ArcId>& path) const {
  auto here = static_cast<uint32_t>(index(from));
  const auto step_to = [&](uint32_t next) {
    const std::optional<ArcId> arc = network_.find_arc(NodeId{here}, NodeId{next});
    QUADRILLE_CHECK(arc.has_value(), "a product without one of its arcs");
    path.push_back(*arc);
    here = next;
  };
  for (size_t k = 0; k < factors_.size(); ++k) {
    const Factor& f = factors_[k];
    uint32_t a = coordinate(from, k);
    const uint32_t b = coordinate(to, k);
    const uint32_t up = (b + f.side - a) % f.side;
    const bool goes_up =
        f.shape == FactorShape::kRing ? 2 * up < f.side || (2 * up == f.side && a % 2 == 1) : b > a;
    while (a != b) {
      uint32_t next = b;
      if (f.shape != FactorShape::kComplete) next = goes_up ? (a + 1) % f.side : (a + f.side - 1) % f.side;
      step_to(here - a * f.stride + next * f.stride);
      a = next;
    }
  }
}

bool DimensionOrder::classes(std::span<const ArcId> path, std::vector<VcClass>& out) const {
  out.assign(path.size(), VcClass::kAny);
  std::vector<VcClass> found(path.size(), VcClass::kAny);
  size_t last_dimension = 0;
  for (size_t i = 0; i < path.size();) {
    const size_t k = dimension_of(path[i]);
    if (i > 0 && k <= last_dimension) return false;
    last_dimension = k;
    const Factor& f = factors_[k];
    // Hops of one dimension, all one way round.
    const auto up = [&](size_t j) {
      return (coordinate(network_.tail(path[j]), k) + 1) % f.side == coordinate(network_.head(path[j]), k);
    };
    size_t end = i + 1;
    while (end < path.size() && dimension_of(path[end]) == k && f.shape != FactorShape::kComplete &&
           up(end) == up(i))
      ++end;
    if (f.shape == FactorShape::kRing) {
      size_t wrap = end;
      for (size_t j = i; j < end && wrap == end; ++j) {
        if (coordinate(network_.tail(path[j]), k) == (up(i) ? f.side - 1 : 0)) wrap = j;
      }
      for (size_t j = i; j < end; ++j) {
        found[j] = wrap == end ? (j == i ? VcClass::kAny : VcClass::kStay)
                               : (j < wrap ? VcClass::kLow : VcClass::kHigh);
      }
      if (end - i >= f.side) return false;  // more than once round
    }
    i = end;
  }
  out = std::move(found);
  return true;
}

}  // namespace quadrille
