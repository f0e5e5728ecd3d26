// Conditions of published costs on the network: tori and meshes whose sides are all 2^d.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/schedule/problem.h"

namespace quadrille {

enum class SquareShape : uint8_t { kMesh, kTorus };

/// d, if the network is a torus or mesh of so many dimensions whose sides are all 2^d >= 4.
[[nodiscard]] std::optional<uint32_t> square_exponent(const Topology& topology, SquareShape shape,
                                                      size_t dimensions);

/// Why a cost for one-port worms on such a network does not hold for a problem: no worms, other links, or no
/// such network with at least that d. Nothing if it holds.
[[nodiscard]] std::optional<std::string> refuses_square(const Problem& problem, SquareShape shape,
                                                        size_t dimensions, uint32_t least_exponent);

}  // namespace quadrille
