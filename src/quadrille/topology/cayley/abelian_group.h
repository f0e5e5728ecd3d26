// Z_{m1} x ... x Z_{md}: the group of rings, circulants, tori, hypercubes and complete graphs.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/topology/cayley/group.h"

namespace quadrille {

/// Componentwise addition modulo `moduli` (each at least 1); elements in row-major order, last component
/// fastest. The caller has checked that the order fits 32 bits.
[[nodiscard]] std::shared_ptr<const Group> abelian_group(std::vector<uint32_t> moduli);

}  // namespace quadrille
