#include "quadrille/algorithms/worm_broadcast/worm_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/base/check.h"

namespace quadrille {
namespace {

struct Factor {
  std::vector<NodeId> order;
  bool circular = false;
};

std::optional<Factor> row_or_circle(const Topology& topology) {
  if (std::optional<std::vector<NodeId>> path = as_path(topology))
    return Factor{std::move(*path), topology.num_nodes() == 2};
  if (std::optional<std::vector<NodeId>> cycle = as_cycle(topology)) return Factor{std::move(*cycle), true};
  return std::nullopt;
}

std::optional<std::vector<Factor>> factors_of(const Topology& topology) {
  std::vector<Factor> out;
  if (const ProductStructure* product = topology.product(); product != nullptr) {
    for (const Topology& each : product->factors) {
      std::optional<Factor> factor = row_or_circle(each);
      if (!factor) return std::nullopt;
      out.push_back(std::move(*factor));
    }
    return out;
  }
  std::optional<Factor> factor = row_or_circle(topology);
  if (!factor) return std::nullopt;
  out.push_back(std::move(*factor));
  return out;
}

GridShape shape_of_factors(const std::vector<Factor>& factors) {
  GridShape shape;
  for (const Factor& factor : factors) {
    if (factor.order.size() == 1) continue;
    shape.sides.push_back(static_cast<uint32_t>(factor.order.size()));
    shape.circular.push_back(factor.circular);
  }
  return shape;
}

// The nodes of all places: digit by digit the node of each factor, in the row-major numbering of the product.
std::vector<NodeId> nodes_of(const std::vector<Factor>& factors) {
  std::vector<NodeId> nodes{NodeId{0}};
  for (const Factor& factor : factors) {
    std::vector<NodeId> finer;
    finer.reserve(nodes.size() * factor.order.size());
    for (const NodeId before : nodes) {
      for (const NodeId digit : factor.order)
        finer.push_back(id_at<NodeId>(index(before) * factor.order.size() + index(digit)));
    }
    nodes = std::move(finer);
  }
  return nodes;
}

}  // namespace

uint64_t GridShape::num_places() const {
  return std::accumulate(sides.begin(), sides.end(), uint64_t{1}, std::multiplies<>());
}

bool GridShape::all_circular() const {
  return std::all_of(circular.begin(), circular.end(), [](bool c) { return c; });
}

bool GridShape::is_square_torus() const {
  return !sides.empty() && all_circular() &&
         std::all_of(sides.begin(), sides.end(), [this](uint32_t n) { return n == sides.front(); });
}

std::vector<uint32_t> GridShape::coordinates(uint32_t place) const {
  std::vector<uint32_t> out(sides.size());
  for (size_t d = sides.size(); d-- > 0; place /= sides[d]) out[d] = place % sides[d];
  return out;
}

uint32_t GridShape::place(std::span<const int64_t> coordinates) const {
  uint64_t out = 0;
  for (size_t d = 0; d < sides.size(); ++d) {
    const int64_t side = sides[d];
    const int64_t x = coordinates[d];
    QUADRILLE_CHECK(circular[d] || (x >= 0 && x < side), fmt::format("coordinate {} of {}", x, side));
    out = out * sides[d] + static_cast<uint64_t>((x % side + side) % side);
  }
  return static_cast<uint32_t>(out);
}

uint32_t GridShape::moved(uint32_t place, std::span<const int32_t> hops) const {
  uint64_t out = 0;
  uint64_t stride = 1;
  for (size_t d = sides.size(); d-- > 0; place /= sides[d]) {
    const int64_t side = sides[d];
    const int64_t x = int64_t{place % sides[d]} + hops[d];
    QUADRILLE_CHECK(circular[d] || (x >= 0 && x < side), fmt::format("coordinate {} of {}", x, side));
    out += stride * static_cast<uint64_t>((x % side + side) % side);
    stride *= sides[d];
  }
  return static_cast<uint32_t>(out);
}

std::string GridShape::text() const {
  const bool rows = std::none_of(sides.begin(), sides.end(), [](uint32_t n) { return n == 2; }) &&
                    std::none_of(circular.begin(), circular.end(), [](bool c) { return c; });
  return fmt::format("{} {}", all_circular() ? "torus" : rows ? "mesh" : "grid", fmt::join(sides, " x "));
}

std::optional<WormGrid> WormGrid::of(const Topology& topology) {
  const std::optional<std::vector<Factor>> factors = factors_of(topology);
  if (!factors) return std::nullopt;
  WormGrid grid;
  grid.shape_ = shape_of_factors(*factors);
  grid.nodes_ = nodes_of(*factors);
  grid.places_.resize(grid.nodes_.size());
  for (uint32_t p = 0; p < grid.nodes_.size(); ++p) grid.places_[index(grid.nodes_[p])] = p;

  const size_t k = grid.shape_.dimensions();
  grid.arcs_.assign(grid.nodes_.size() * 2 * k, kNoArc);
  grid.next_.resize(grid.nodes_.size() * 2 * k);
  uint32_t stride = topology.num_nodes();
  for (size_t d = 0; d < k; ++d) {
    const uint32_t side = grid.shape_.sides[d];
    stride /= side;
    for (uint32_t p = 0; p < grid.nodes_.size(); ++p) {
      const uint32_t x = p / stride % side;
      for (const bool down : {false, true}) {
        const size_t port = (size_t{p} * k + d) * 2 + (down ? 1 : 0);
        const bool at_end = x == (down ? 0 : side - 1);
        grid.next_[port] = p;
        if (at_end && !grid.shape_.circular[d]) continue;
        const uint32_t to = x == side - 1 && !down ? 0 : x == 0 && down ? side - 1 : down ? x - 1 : x + 1;
        grid.next_[port] = p - x * stride + to * stride;
        const std::optional<ArcId> arc = topology.find_arc(grid.nodes_[p], grid.nodes_[grid.next_[port]]);
        if (!arc) return std::nullopt;
        grid.arcs_[port] = *arc;
      }
    }
  }
  return grid;
}

std::optional<GridShape> WormGrid::shape_of(const Topology& topology) {
  if (topology.is_directed()) {
    // A link that is missing can be in any factor.
    const std::optional<WormGrid> grid = of(topology);
    return grid ? std::optional(grid->shape()) : std::nullopt;
  }
  const std::optional<std::vector<Factor>> factors = factors_of(topology);
  if (!factors) return std::nullopt;
  return shape_of_factors(*factors);
}

std::vector<uint32_t> WormGrid::row_positions(const Topology& topology, NodeId node) {
  const std::vector<Factor> factors = *factors_of(topology);
  uint64_t stride = topology.num_nodes();
  std::vector<uint32_t> out;
  for (const Factor& factor : factors) {
    stride /= factor.order.size();
    if (factor.order.size() == 1) continue;
    const NodeId here = id_at<NodeId>(index(node) / stride % factor.order.size());
    const auto at = std::find(factor.order.begin(), factor.order.end(), here);
    out.push_back(factor.circular ? 0 : static_cast<uint32_t>(at - factor.order.begin()));
  }
  return out;
}

void WormGrid::append_path(uint32_t place, std::span<const int32_t> hops, std::vector<ArcId>& path) const {
  const size_t k = shape_.dimensions();
  for (size_t d = 0; d < k; ++d) {
    const size_t down = hops[d] < 0 ? 1 : 0;
    for (int32_t left = std::abs(hops[d]); left > 0; --left) {
      const size_t port = (size_t{place} * k + d) * 2 + down;
      QUADRILLE_CHECK(arcs_[port] != kNoArc,
                      fmt::format("no link from place {} in dimension {}", place, d + 1));
      path.push_back(arcs_[port]);
      place = next_[port];
    }
  }
}

}  // namespace quadrille
