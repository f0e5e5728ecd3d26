#include "quadrille/cost/square_network.h"

#include <fmt/format.h>

#include <bit>

namespace quadrille {
namespace {

// Topologies are connected: with degrees of at most two they are a line or a ring, by the number of links.
bool has_shape(const Topology& factor, SquareShape shape) {
  for (const NodeId v : factor.nodes()) {
    if (factor.out_degree(v) > 2) return false;
  }
  const uint64_t n = factor.num_nodes();
  return factor.num_arcs() == 2 * (shape == SquareShape::kMesh ? n - 1 : n);
}

}  // namespace

std::optional<uint32_t> square_exponent(const Topology& topology, SquareShape shape, size_t dimensions) {
  const ProductStructure* product = topology.product();
  if (product == nullptr || product->factors.size() != dimensions) return std::nullopt;
  const uint32_t side = product->factors.front().num_nodes();
  if (side < 4 || !std::has_single_bit(side)) return std::nullopt;
  for (const Topology& factor : product->factors) {
    if (factor.num_nodes() != side || !has_shape(factor, shape)) return std::nullopt;
  }
  return static_cast<uint32_t>(std::countr_zero(side));
}

std::optional<std::string> refuses_square(const Problem& problem, SquareShape shape, size_t dimensions,
                                          uint32_t least_exponent) {
  if (problem.model().switching != Switching::kWormhole) return "it is for worms";
  if (problem.model().duplex == Duplex::kHalf) return "it is for full-duplex links";
  const std::optional<uint32_t> d = square_exponent(problem.topology(), shape, dimensions);
  if (d && *d >= least_exponent) return std::nullopt;
  return fmt::format("its formula is for {}-dimensional {} with equal sides 2^d, d >= {}; {} is none",
                     dimensions, shape == SquareShape::kMesh ? "meshes" : "tori", least_exponent,
                     problem.topology().name());
}

}  // namespace quadrille
