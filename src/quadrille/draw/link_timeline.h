// LinkTimeline: links down, time across, a bar for every message that holds a link: the space-time diagram of a run, for print.
//
//     const std::vector<TimelineBar> bars = ...;       // who held which link from when to when
//     write_file("time.svg", link_timeline(network, layout_of(network), bars, {.end = cycles, .steps = 6}));
//
// Rows come in groups (directions of a grid, levels of a tree). Bars have the colour of their step; where messages hold virtual channels
// of one link at once, its row has a lane for each. Who waits for a link is a red line on its row until he gets it. Dashed rules
// are barriers. Of more than 200 links every so-manieth of each group is shown; more than 20,000 bars become a raster of how busy
// links are. The picture says either.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quadrille/layout/network_layout.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// A message holds a lane of a link from `begin` up to but without `end`; it wanted one from `asked` on.
struct TimelineBar {
  ArcId arc = kNoArc;
  uint32_t lane = 0;
  uint32_t step = 0;
  uint64_t asked = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct LinkTimeline {
  std::string title{};
  uint64_t end = 1;       ///< of the time axis, in cycles
  double cycle_ns = 1.0;  ///< for a second scale
  uint32_t steps = 1;
  std::vector<uint64_t> rules{};  ///< barriers
};

/// The text of an SVG file.
[[nodiscard]] std::string link_timeline(const Topology& network, const NetworkLayout& layout,
                                        std::span<const TimelineBar> bars, const LinkTimeline& frame);

}  // namespace quadrille
