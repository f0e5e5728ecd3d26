#include "quadrille/algorithms/partial_sums/sum_places.h"

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {

SumPlaces::SumPlaces(const Topology& topology, const FreeGroup& group)
    : ranks_(topology.num_endpoints()),
      nodes_(topology.num_nodes()),
      place_of_(nodes_, SIZE_MAX),
      element_of_(nodes_, 0) {
  for (const NodeId v : topology.nodes()) {
    if (place_of(v) != SIZE_MAX) continue;
    for (size_t h = 0; h < group.order(); ++h) {
      const NodeId image = group.images[h][index(v)];
      place_of_[index(image)] = places_.size();
      element_of_[index(image)] = h;
    }
    places_.push_back(v);
  }
  back_.assign(group.order() * ranks_, 0);
  for (size_t h = 0; h < group.order(); ++h) {
    for (size_t x = 0; x < ranks_; ++x) {
      const Rank image = *topology.rank(group.images[h][index(topology.endpoints()[x])]);
      back_[h * ranks_ + index(image)] = static_cast<uint32_t>(x);
    }
  }
  from_.resize(size());
  into_.resize(size());
  for (size_t p = 0; p < size(); ++p) {
    for (const ArcId arc : topology.arcs_from(places_[p])) {
      from_[p].push_back(ways_.size());
      ways_.push_back({arc, places_[p], topology.head(arc)});
    }
  }
  // The inverse of the element that takes a place to the head takes the way to one that ends at the place.
  for (size_t w = 0; w < ways_.size(); ++w) {
    const NodeId to = ways_[w].to;
    size_t inverse = 0;
    while (group.images[inverse][index(to)] != places_[place_of(to)]) ++inverse;
    QUADRILLE_CHECK(group.images[inverse][index(group.images[element_of(to)][0])] == NodeId{0},
                    "inverses are of the group");
    into_[place_of(to)].push_back({w, inverse});
  }
  hops_.reserve(ranks_ * nodes_);
  for (const NodeId v : topology.endpoints()) {
    const std::vector<uint32_t> row = distances_from(topology, v);
    hops_.insert(hops_.end(), row.begin(), row.end());
  }
}

}  // namespace quadrille
