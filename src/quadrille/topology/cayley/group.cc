#include "quadrille/topology/cayley/group.h"

namespace quadrille {

void Group::right_translation(uint32_t a, std::span<uint32_t> out) const {
  for (uint32_t x = 0; x < out.size(); ++x) out[x] = multiply(x, a);
}

}  // namespace quadrille
