// Z_{n1} x ... x Z_{nd} sheared: going once round coordinate i also moves the last coordinate by shift i. The group of
// twisted tori.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/topology/cayley/group.h"

namespace quadrille {

/// The integer vectors modulo the lattice of n_i e_i + shift_i e_d (i < d) and n_d e_d; elements are the vectors with 0 <=
/// x_i < n_i in row-major order, last coordinate fastest. One shift for each side but the last; the caller has checked that
/// the order fits 32 bits.
[[nodiscard]] std::shared_ptr<const Group> sheared_group(std::vector<uint32_t> sides,
                                                         std::vector<uint32_t> shifts);

}  // namespace quadrille
