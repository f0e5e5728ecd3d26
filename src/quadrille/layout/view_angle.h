// From where a layout with depth is seen: turned and tilted so that few nodes hide others, and few links run over nodes that they
// do not lead to. Seen under one angle for all, every fourth node of a torus(4,4,4) lay behind another one.
#pragma once

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// Fills layout.yaw and layout.tilt of a layout with depth, by trial around the usual angles; above 1,000 nodes these are as good as
/// any. Of a flat one: nothing.
void choose_view(const Topology& topology, NetworkLayout& layout);

}  // namespace quadrille
