#include "quadrille/verify/witnesses/ordered_worms.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {
namespace {

// The dimension in which the ends of a link differ; nothing if it is not one alone.
std::optional<size_t> dimension_of(const std::vector<uint32_t>& sides, size_t a, size_t b) {
  std::optional<size_t> found;
  for (size_t d = sides.size(); d-- > 0; a /= sides[d], b /= sides[d]) {
    if (a % sides[d] == b % sides[d]) continue;
    if (found) return std::nullopt;
    found = d;
  }
  return found;
}

bool are_the_sides(const Topology& net, const std::vector<uint32_t>& sides) {
  const ProductStructure* product = net.product();
  return product != nullptr &&
         std::ranges::equal(product->factors, sides, {}, [](const Topology& f) { return f.num_nodes(); });
}

// What comes together is what spreads, seen backwards: then the links into a node count, and the last dimensions come first.
uint64_t steps(const Problem& problem, const OrderWitness& order, bool backwards) {
  const Topology& net = problem.topology();
  const size_t dimensions = order.sides.size();
  const auto is_first = [&](size_t d) { return backwards ? d >= dimensions - order.cut : d < order.cut; };
  std::vector<uint64_t> first(net.num_nodes(), 0);
  std::vector<uint64_t> others(net.num_nodes(), 0);
  for (const ArcId arc : net.arcs()) {
    const std::optional<size_t> d = dimension_of(order.sides, index(net.tail(arc)), index(net.head(arc)));
    if (!d) return 0;
    const size_t at = index(backwards ? net.head(arc) : net.tail(arc));
    (is_first(*d) ? first : others)[at] += net.capacity(arc);
  }
  const Int128 links_first = *std::ranges::max_element(first);
  const Int128 links_others = *std::ranges::max_element(others);
  const Ports ports = backwards ? problem.model().receive : problem.model().send;
  if (!ports.unlimited() && Int128{ports.count} < links_first + links_others) return 0;
  Int128 all_inside = 1;
  for (size_t d = 0; d < dimensions; ++d)
    if (!is_first(d)) all_inside *= order.sides[d];
  const Int128 all_outside = net.num_nodes() - all_inside;
  Int128 inside = 1;
  Int128 outside = 0;
  uint64_t out = 0;
  for (; outside < all_outside; ++out) {
    if (links_first == 0) return 0;
    outside += (links_first + links_others) * outside + links_first * inside;
    inside = std::min(all_inside, inside + links_others * inside);
  }
  return out;
}

}  // namespace

uint64_t ordered_worm_steps(const Problem& problem, const OrderWitness& order) {
  const Model& model = problem.model();
  if (model.switching != Switching::kWormhole || model.routing != Routing::kDimensionOrder ||
      problem.topology().has_routers() || !are_the_sides(problem.topology(), order.sides))
    return 0;
  const CollectiveKind kind = problem.collective().kind();
  if (kind == CollectiveKind::kAlltoallv) return 0;
  const bool only_hears = kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
  const bool only_informs = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
  return std::max(only_hears ? 0 : steps(problem, order, false),
                  only_informs ? 0 : steps(problem, order, true));
}

}  // namespace quadrille
