// Even order: of trees that together load all links alike, one after the other so that those before any place in the row do, too.
//
// A packing of trees says how often a link is used by all of them. Where they are taken in the order in which they were found, the first
// half may use one link for all of its trees and another never, and a timetable that starts with the first ones lets that link wait
// and then starve. So each next one is the one that evens out most, by squares (greedily, as vectors are balanced:
// Steinitz 1913 says that sums of any beginning can stay small).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

/// What a link or a port carries in a step.
using CarriedAStep = std::vector<uint32_t>;

/// The items in their new order. `uses`: of each item the links, or ports, that it needs, each as often as it does; `carried`: by link or
/// port. Whoever has little to do in all of them counts little.
[[nodiscard]] std::vector<uint32_t> even_order(std::span<const std::vector<uint32_t>> uses,
                                               const CarriedAStep& carried);

}  // namespace quadrille
