// Free groups of a network: automorphisms of which only the identity leaves any node where it is.
//
// A plan that looks alike from all images of a node is found at one of them. The left translations of a Cayley graph
// are such a group, and so are their subgroups, which allow more plans; elsewhere what one
// or two automorphisms generate that a search finds.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct FreeGroup {
  std::vector<std::vector<NodeId>> images;  ///< per element, the first the identity; per node

  [[nodiscard]] size_t order() const { return images.size(); }
};

/// Some of those that there are, the largest first, the identity alone last. Whoever asks again gets what was found.
[[nodiscard]] std::shared_ptr<const std::vector<FreeGroup>> free_groups(const Topology& topology);

}  // namespace quadrille
