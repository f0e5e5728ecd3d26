#include "quadrille/draw/space_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr double kFinest = 1;                 // points: columns and rows on paper are no finer
constexpr uint32_t kMostColumnsOfTime = 800;  // and no more
constexpr double kTitleHeight = 11;
constexpr double kAxisHeight = 21;

// Cells put together in columns and rows of the picture. Rows of a group stay together: no line of the picture belongs to two groups.
class Raster {
 public:
  Raster(const SpaceTime& diagram, uint32_t most_columns, uint32_t most_lines) : diagram_(diagram) {
    uint32_t rows = 0;
    for (const SpaceTime::Group& group : diagram.groups) rows += group.rows;
    if (rows == 0 || !(diagram.end > 0))
      throw InputError("a space-time diagram of nothing: it has no rows, or no time");
    const double shrink = std::max(1.0, static_cast<double>(rows) / most_lines);
    for (const SpaceTime::Group& group : diagram.groups) {
      const auto wanted = static_cast<uint32_t>(std::lround(group.rows / shrink));
      const uint32_t lines = group.rows == 0 ? 0 : std::clamp(wanted, 1U, group.rows);
      for (uint32_t i = 0; i < group.rows; ++i)
        line_.push_back(lines_ + static_cast<uint32_t>(uint64_t{i} * lines / group.rows));
      group_end_.push_back(lines_ += lines);
    }
    columns_ = diagram.in_steps && diagram.end <= most_columns ? static_cast<uint32_t>(std::ceil(diagram.end))
                                                               : most_columns;
    value_.resize(size_t{columns_} * lines_);
    rows_of_line_.resize(lines_);
    for (const uint32_t line : line_) ++rows_of_line_[line];
    for (const SpaceTimeCell& cell : diagram.cells) add(cell);
  }

  [[nodiscard]] uint32_t columns() const { return columns_; }
  [[nodiscard]] uint32_t lines() const { return lines_; }
  [[nodiscard]] uint32_t line_of(uint32_t row) const { return line_[row]; }
  /// Where the lines of each group end.
  [[nodiscard]] const std::vector<uint32_t>& group_end() const { return group_end_; }
  [[nodiscard]] float at(uint32_t line, uint32_t column) const {
    return value_[size_t{line} * columns_ + column];
  }

 private:
  void add(const SpaceTimeCell& cell) {
    if (cell.row >= line_.size())
      throw InputError(fmt::format("a cell is in row {} of {}", uint64_t{cell.row} + 1, line_.size()));
    if (!(cell.start >= 0) || !(cell.end > cell.start) || cell.end > diagram_.end * (1 + 1e-9))
      throw InputError(fmt::format("a cell lasts from {} to {}; time goes from 0 to {}", cell.start, cell.end,
                                   diagram_.end));
    const double each = diagram_.end / columns_;
    const uint32_t line = line_[cell.row];
    const double first = cell.start / each;
    const double last = std::min<double>(cell.end / each, columns_);
    for (auto c = static_cast<uint32_t>(first); c < columns_ && c < last - 1e-9; ++c) {
      float& value = value_[size_t{line} * columns_ + c];
      if (diagram_.mean) {
        const double covered = std::min(last, c + 1.0) - std::max<double>(first, c);
        value += static_cast<float>(cell.value * covered / rows_of_line_[line]);
      } else {
        value = std::max(value, static_cast<float>(cell.value));
      }
    }
  }

  const SpaceTime& diagram_;
  uint32_t columns_ = 0;
  uint32_t lines_ = 0;
  std::vector<uint32_t> line_{};
  std::vector<uint32_t> group_end_{};
  std::vector<uint32_t> rows_of_line_{};
  std::vector<float> value_{};
};

// One path for each colour, each cell a part of the longest run.
void draw_cells(Svg& page, const Raster& raster, const ValueScale& scale) {
  std::vector<SvgPath> paths(scale.colours());
  constexpr uint32_t kNone = UINT32_MAX;
  for (uint32_t line = 0; line < raster.lines(); ++line) {
    uint32_t from = 0;
    uint32_t running = kNone;
    for (uint32_t c = 0; c <= raster.columns(); ++c) {
      const float value = c < raster.columns() ? raster.at(line, c) : 0;
      const uint32_t colour = value > 0 ? scale.colour_of(value) : kNone;
      if (colour == running) continue;
      if (running != kNone) paths[running].cells(line, from, c);
      from = c;
      running = colour;
    }
  }
  for (uint32_t i = 0; i < paths.size(); ++i) page.fill(paths[i], to_hex(scale.colour(i)));
}

struct Frame {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

void draw_groups(Svg& page, const SpaceTime& diagram, const Raster& raster, const Frame& frame) {
  double last_name = -100;
  uint32_t begin = 0;
  for (size_t g = 0; g < diagram.groups.size(); ++g) {
    const uint32_t end = raster.group_end()[g];
    const double top = frame.top + frame.height * begin / raster.lines();
    const double bottom = frame.top + frame.height * end / raster.lines();
    const double middle = (top + bottom) / 2 + 2.3;
    if (middle - last_name >= 6.5) {
      page.text(frame.left - 4, middle, diagram.groups[g].name, {.size = 6.5, .anchor = SvgAnchor::kEnd});
      last_name = middle;
    }
    if (g > 0) {
      SvgPath line;
      line.move(frame.left - 3, top).line(frame.left + frame.width, top);
      page.stroke(line, {.colour = "#fff", .width = bottom - top > 4 ? 0.9 : 0.4});
      SvgPath tick;
      tick.move(frame.left - 3, top).line(frame.left, top);
      page.stroke(tick, {.width = 0.4});
    }
    begin = end;
  }
}

void draw_time_axis(Svg& page, const SpaceTime& diagram, const Frame& frame) {
  const double bottom = frame.top + frame.height;
  SvgPath ticks;
  const auto mark = [&](double time, double number) {
    const double x = frame.left + frame.width * time / diagram.end;
    ticks.move(x, bottom).line(x, bottom + 2);
    page.text(x, bottom + 9, shown_number(number), {.size = 6.5, .anchor = SvgAnchor::kMiddle});
  };
  if (diagram.in_steps) {
    const auto first = static_cast<double>(diagram.first_step);
    const double step = std::max(1.0, nice_step(diagram.end, frame.width / 22));
    for (double number = std::ceil(first / step) * step; number < first + diagram.end; number += step)
      mark(number - first + 0.5, number);
    if (step > 1) mark(0.5, first);
  } else {
    const double step = nice_step(diagram.end, frame.width / 30);
    for (int i = 0; i * step <= diagram.end * (1 + 1e-9); ++i) mark(i * step, i * step);
  }
  page.stroke(ticks, {.width = 0.4});
  page.text(frame.left + frame.width / 2, bottom + 18, diagram.time_name, {.anchor = SvgAnchor::kMiddle});
}

// A triangle with a rim: seen without colours, too.
void draw_marks(Svg& page, const SpaceTime& diagram, const Raster& raster, const Frame& frame) {
  for (const SpaceTimeMark& mark : diagram.marks) {
    if (mark.time < 0 || mark.time > diagram.end) continue;
    const double x = frame.left + frame.width * mark.time / diagram.end;
    const double y = frame.top + frame.height * (raster.line_of(mark.row) + 0.5) / raster.lines();
    SvgPath sign;
    sign.move(x, y - 4).line(x + 3.8, y + 2.8).line(x - 3.8, y + 2.8).close();
    page.fill(sign, to_hex(kFindingAccent));
    page.stroke(sign, {.colour = "#fff", .width = 0.6});
    page.text(x, y + 2, "!", {.size = 6, .anchor = SvgAnchor::kMiddle, .bold = true, .colour = "#fff"});
  }
}

}  // namespace

LinkRows link_rows(const NetworkLayout& layout) {
  LinkRows out;
  for (const std::string& name : layout.group_names) out.groups.push_back({name, 0});
  out.row.resize(layout.group.size());
  uint32_t next = 0;
  for (const ArcId arc : rows_of(layout)) {
    out.row[index(arc)] = next++;
    ++out.groups[layout.group[index(arc)]].rows;
  }
  return out;
}

std::string space_time_svg(const SpaceTime& diagram, const SpaceTimeStyle& style) {
  double gutter = 8;
  uint32_t rows = 0;
  for (const SpaceTime::Group& group : diagram.groups) {
    gutter = std::max(gutter, text_width(group.name, 6.5) + 8);
    rows += group.rows;
  }
  Frame frame{
      .left = gutter, .top = diagram.title.empty() ? 4 : kTitleHeight + 1, .width = style.width - gutter - 8};
  if (frame.width < 40)
    throw InputError(fmt::format("a width of {} pt leaves no room", svg_number(style.width)));
  frame.height = style.height > 0 ? style.height : std::clamp(rows * 2.2, 60.0, style.width * 0.65);
  const auto columns = std::min(kMostColumnsOfTime, static_cast<uint32_t>(frame.width / kFinest));
  const Raster raster(diagram, columns, std::max(1U, static_cast<uint32_t>(frame.height / kFinest)));

  Svg page(style.width, frame.top + frame.height + kAxisHeight + kLegendHeight + 4);
  if (!diagram.title.empty()) page.text(2, 8, diagram.title, {.bold = true});
  page.open(frame.left, frame.top, frame.width / raster.columns(), frame.height / raster.lines(), true);
  draw_cells(page, raster, diagram.scale);
  page.close();
  draw_groups(page, diagram, raster, frame);
  SvgPath rim;
  rim.box(frame.left, frame.top, frame.width, frame.height);
  page.stroke(rim, {.width = 0.4});
  draw_time_axis(page, diagram, frame);
  draw_marks(page, diagram, raster, frame);
  if (diagram.scale.colours() > 1)
    draw_legend(page, frame.left, frame.top + frame.height + kAxisHeight, frame.width, diagram.scale);
  return page.finish();
}

std::string space_time_text(const SpaceTime& diagram, uint32_t columns, uint32_t lines) {
  size_t gutter = 0;
  for (const SpaceTime::Group& group : diagram.groups) gutter = std::max(gutter, group.name.size());
  const uint32_t room = columns > gutter + 10 ? columns - static_cast<uint32_t>(gutter) - 1 : 10;
  const Raster raster(diagram, room, lines);
  std::string out = diagram.title.empty() ? "" : diagram.title + "\n";
  size_t group = 0;
  uint32_t begin = 0;
  for (uint32_t line = 0; line < raster.lines(); ++line) {
    while (raster.group_end()[group] <= line) begin = raster.group_end()[group++];
    out += fmt::format("{:>{}} ", line == begin ? diagram.groups[group].name : "", gutter);
    for (uint32_t c = 0; c < raster.columns(); ++c) {
      const float value = raster.at(line, c);
      if (value <= 0) {
        out += '.';
        continue;
      }
      // Whole values as they are; others in ninths of the largest.
      const double digit = diagram.scale.whole ? value : std::ceil(value / diagram.scale.largest * 9 - 1e-6);
      out += digit > 9 ? '#' : static_cast<char>('0' + static_cast<int>(std::max(1.0, digit)));
    }
    out += '\n';
  }
  const std::string from = diagram.in_steps ? with_thousands(diagram.first_step) : "0";
  const std::string to =
      diagram.in_steps
          ? with_thousands(diagram.first_step + static_cast<uint64_t>(std::ceil(diagram.end)) - 1)
          : shown_number(diagram.end);
  out += fmt::format("{:>{}} {}: {} to {}", "", gutter, diagram.time_name, from, to);
  out += diagram.scale.name.empty()
             ? "\n"
             : fmt::format(
                   "; digits: {}{}\n", diagram.scale.name,
                   diagram.scale.whole ? "" : fmt::format(", 9 is {}", shown_number(diagram.scale.largest)));
  return out;
}

}  // namespace quadrille
