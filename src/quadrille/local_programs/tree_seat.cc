#include "quadrille/local_programs/tree_seat.h"

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {

TreeSeat::TreeSeat(const TreeStructure& tree, NodeId self)
    : height(tree.height()), leaves(tree.first[1]), level(tree.level(self)) {
  for (uint32_t l = 0; l < level; ++l) {
    child_below = below;
    below *= tree.arity[l];
  }
  const uint32_t place = static_cast<uint32_t>(index(self)) - tree.first[level];
  first_leaf = place * below;
  if (level > 0) {
    const uint32_t k = tree.arity[level - 1];
    for (uint32_t c = 0; c < k; ++c) neighbours.push_back(NodeId{tree.first[level - 1] + place * k + c});
  }
  if (!is_root()) neighbours.push_back(tree.parent(self));
}

uint32_t TreeSeat::position(NodeId neighbour) const {
  const auto found = std::find(neighbours.begin(), neighbours.end(), neighbour);
  QUADRILLE_CHECK(found != neighbours.end(), std::to_string(index(neighbour)));
  return static_cast<uint32_t>(found - neighbours.begin());
}

}  // namespace quadrille
