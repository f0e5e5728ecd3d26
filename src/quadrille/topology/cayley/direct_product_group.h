// The direct product of groups: the group of a product of Cayley graphs.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/topology/cayley/group.h"

namespace quadrille {

/// Componentwise; elements in row-major order, last component fastest. A product of cyclic
/// groups is an abelian_group. The caller has checked that the order fits 32 bits.
[[nodiscard]] std::shared_ptr<const Group> direct_product(std::vector<std::shared_ptr<const Group>> factors);

}  // namespace quadrille
