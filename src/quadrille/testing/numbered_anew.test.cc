#include "quadrille/testing/numbered_anew.test.h"

#include <vector>

#include "quadrille/base/random.h"

namespace quadrille {

Topology numbered_anew(const Topology& net, uint64_t seed) {
  std::vector<NodeId> image;
  for (const NodeId v : net.nodes()) image.push_back(v);
  Rng(seed).shuffle(image);
  TopologyBuilder builder("numbered anew", net.num_nodes());
  for (const ArcId arc : net.arcs())
    builder.arc(image[index(net.tail(arc))], image[index(net.head(arc))], net.capacity(arc));
  std::vector<NodeId> endpoints;
  for (const NodeId v : net.endpoints()) endpoints.push_back(image[index(v)]);
  builder.endpoints(endpoints);
  return builder.build();
}

}  // namespace quadrille
