// Space-time diagrams: rows (links, mostly) from top to bottom, time from left to right, what goes on as cells.
//
//     SpaceTime diagram{.groups = {{"up 1", 16}, {"down 1", 16}}, .end = 12.5, .time_name = "time (us)", .in_steps = false};
//     diagram.cells.push_back({.row = 3, .start = 0, .end = 1.25, .value = 1});
//     write_file("x.svg", space_time_svg(diagram, {}));
//
// Rows of links in a good order, and the names of their groups, come from a layout: rows_of() and group_names
// (layout/network_layout.h); link_rows() below puts them together. Time may be steps or anything continuous.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/draw/value_scale.h"
#include "quadrille/layout/network_layout.h"

namespace quadrille {

struct SpaceTimeCell {
  uint32_t row = 0;
  double start = 0;  ///< in units of time; steps are 0 to 1, 1 to 2, ..
  double end = 1;
  double value = 1;  ///< see SpaceTime::scale
};

/// A place that is pointed out: a finding.
struct SpaceTimeMark {
  uint32_t row = 0;
  double time = 0;
};

struct SpaceTime {
  struct Group {
    std::string name{};
    uint32_t rows = 0;
  };

  std::string title{};
  std::vector<Group> groups{};  ///< from the top
  double end = 1;               ///< where time ends
  std::string time_name = "step";
  bool in_steps = true;  ///< times are whole, and the column from 0 to 1 is step `first_step` for people
  uint64_t first_step = 1;
  std::vector<SpaceTimeCell> cells{};
  ValueScale scale{};
  /// Where a spot of the picture covers several cells it shows the mean over its area, else the greatest of them.
  bool mean = false;
  std::vector<SpaceTimeMark> marks{};
};

/// The groups of rows of a layout's links, and the row of each arc.
struct LinkRows {
  std::vector<SpaceTime::Group> groups{};
  std::vector<uint32_t> row{};  ///< of each arc
};
[[nodiscard]] LinkRows link_rows(const NetworkLayout& layout);

struct SpaceTimeStyle {
  double width = 245;  ///< points: a column of a paper; two are 500
  double height = 0;   ///< of the rows together; 0: by their number
};

/// More cells than fit the paper are put together. Throws InputError where there is nothing to show, for rows or times that do not exist.
[[nodiscard]] std::string space_time_svg(const SpaceTime& diagram, const SpaceTimeStyle& style = {});

/// The same with characters: a line for each row (or several), '.' for nothing, '1' to '9' and '#' for values.
[[nodiscard]] std::string space_time_text(const SpaceTime& diagram, uint32_t columns = 80,
                                          uint32_t lines = 40);

}  // namespace quadrille
