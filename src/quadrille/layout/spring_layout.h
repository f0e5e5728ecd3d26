// Springs: a layout of any network.
#pragma once

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// On up to kMostStressNodes nodes so that distances on paper are those in hops, by stress majorization (Gansner, Koren, North, Graph
/// drawing by stress majorization, 2004), which descends in every step and so ends, the best of a few starts; above by forces
/// (Fruchterman and Reingold 1991, Boost's). The same network gives the same places.
inline constexpr uint32_t kMostStressNodes = 1024;
[[nodiscard]] NetworkLayout spring_layout(const Topology& topology);

}  // namespace quadrille
