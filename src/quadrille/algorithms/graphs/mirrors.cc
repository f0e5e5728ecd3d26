#include "quadrille/algorithms/graphs/mirrors.h"

#include <numeric>
#include <optional>
#include <utility>

namespace quadrille {
namespace {

bool is_alike(const Topology& topology, const std::vector<uint32_t>& image) {
  for (const ArcId arc : topology.arcs()) {
    const std::optional<ArcId> there =
        topology.find_arc(NodeId{image[index(topology.tail(arc))]}, NodeId{image[index(topology.head(arc))]});
    if (!there || topology.capacity(*there) != topology.capacity(arc)) return false;
  }
  return true;
}

}  // namespace

Mirrors::Mirrors(const Topology& topology) {
  const uint32_t n = topology.num_nodes();
  std::vector<uint32_t> same(n);
  std::iota(same.begin(), same.end(), 0U);
  images_.push_back(std::move(same));
  if (topology.product() != nullptr) {
    add_all(topology);
  } else if (n % 2 == 0) {
    add(topology, {images_[0].rbegin(), images_[0].rend()});  // lines are numbered from end to end
  }
  orbit_.assign(n, UINT32_MAX);
  for (uint32_t v = 0; v < n; ++v) {
    if (orbit_[v] != UINT32_MAX) continue;
    for (const std::vector<uint32_t>& image : images_) orbit_[image[v]] = num_orbits();
    first_.push_back(v);
  }
}

void Mirrors::add_all(const Topology& topology) {
  const ProductStructure& product = *topology.product();
  for (size_t d = 0; d < product.factors.size(); ++d) {
    const uint32_t side = product.factors[d].num_nodes();
    if (side % 2 != 0) continue;
    std::vector<uint32_t> image;
    for (const NodeId v : topology.nodes())
      image.push_back(
          static_cast<uint32_t>(index(product.with_coordinate(v, d, side - 1 - product.coordinate(v, d)))));
    add(topology, image);
  }
}

void Mirrors::add(const Topology& topology, const std::vector<uint32_t>& image) {
  if (!is_alike(topology, image)) return;
  for (size_t i = 0, known = images_.size(); i < known; ++i) {
    std::vector<uint32_t> both;
    for (const uint32_t v : images_[i]) both.push_back(image[v]);
    images_.push_back(std::move(both));
  }
}

std::vector<std::vector<ArcId>> Mirrors::images_of_arcs(const Topology& topology) const {
  std::vector<std::vector<ArcId>> out;
  for (const std::vector<uint32_t>& image : images_) {
    std::vector<ArcId>& arcs = out.emplace_back();
    for (const ArcId arc : topology.arcs())
      arcs.push_back(*topology.find_arc(NodeId{image[index(topology.tail(arc))]},
                                        NodeId{image[index(topology.head(arc))]}));
  }
  return out;
}

OrbitLinks::OrbitLinks(const Topology& topology, const Mirrors& mirrors)
    : link_of(topology.num_arcs(), UINT32_MAX) {
  const std::vector<std::vector<ArcId>> images = mirrors.images_of_arcs(topology);
  for (const ArcId arc : topology.arcs()) {
    if (link_of[index(arc)] != UINT32_MAX) continue;
    for (const std::vector<ArcId>& image : images)
      link_of[index(image[index(arc)])] = static_cast<uint32_t>(tail.size());
    tail.push_back(mirrors.orbit(topology.tail(arc)));
    head.push_back(mirrors.orbit(topology.head(arc)));
    capacity.push_back(topology.capacity(arc));
  }
}

}  // namespace quadrille
