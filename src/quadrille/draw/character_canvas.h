// Networks of any shape with characters: nodes by their names where the layout puts them, links as strokes between them.
#pragma once

#include <string>

#include "quadrille/draw/network_picture.h"

namespace quadrille {

/// As narrow as names allow. Where something goes over links, those in use are strokes with an arrow head and the others dots.
/// Throws InputError where names would lie on each other at kMostColumns.
[[nodiscard]] std::string canvas_text(const NetworkScene& scene);
inline constexpr int kMostColumns = 160;

}  // namespace quadrille
