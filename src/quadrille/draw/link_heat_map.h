// LinkHeatMap: how busy the links of a network were, each direction by itself, as a picture for print.
//
//     const NetworkLayout layout = layout_of(network);
//     write_file("busy.svg", link_heat_map(network, layout, shares, {.title = "torus(8,8), alltoall_direct"}));
//
// Every arc is a bar beside the straight line between its nodes, on the right of who travels along it; the busier, the darker and
// the wider. Links that go round the picture are two stubs. Networks of more than 2,000 arcs have one bar for both directions,
// with the busier of the two. Networks with depth are drawn plane by plane, and links between planes are slanted stubs.
#pragma once

#include <span>
#include <string>

#include "quadrille/layout/network_layout.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct LinkHeatMap {
  std::string title{};
  std::string value = "flits over a link, of those that it could have carried";  ///< what the colours mean
};

/// `shares`: of each arc from 0 (idle) to 1 (never idle). The text of an SVG file.
[[nodiscard]] std::string link_heat_map(const Topology& network, const NetworkLayout& layout,
                                        std::span<const double> shares, const LinkHeatMap& words);

}  // namespace quadrille
