#include "quadrille/draw/link_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "quadrille/base/text.h"
#include "quadrille/draw/colours.h"
#include "quadrille/draw/svg.h"

namespace quadrille {
namespace link_timeline_parts {
namespace {

constexpr size_t kMostRows = 200;
constexpr size_t kMostBars = 20'000;
constexpr size_t kShades = 24;
constexpr size_t kMostBins = 600;
constexpr double kPageWidth = 500;  // two columns of a paper
constexpr double kMargin = 8;
constexpr size_t kMostNamedSteps = 12;
constexpr uint32_t kNoRow = UINT32_MAX;

struct Group {
  std::string name{};
  size_t first = 0;  // row
  size_t rows = 0;
};

// 1, 2 or 5 times a power of ten, so that there are about six.
uint64_t tick_of(uint64_t end) {
  uint64_t power = 1;
  while (end / power > 60) power *= 10;
  for (const uint64_t factor : {uint64_t{1}, uint64_t{2}, uint64_t{5}, uint64_t{10}}) {
    if (end / (factor * power) <= 7) return factor * power;
  }
  return 10 * power;
}

std::string time_words(double ns) {
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.3g} s", ns / 1e9);
}

class Diagram {
 public:
  Diagram(const Topology& network, const NetworkLayout& layout, std::span<const TimelineBar> bars,
          const LinkTimeline& frame)
      : network_(network), frame_(frame), end_(std::max<uint64_t>(1, frame.end)) {
    choose_rows(layout);
    bars_.reserve(bars.size());
    for (const TimelineBar& bar : bars) {
      if (row_of_[index(bar.arc)] != kNoRow && bar.end > bar.begin) bars_.push_back(bar);
    }
    find_lanes();
    place();
  }

  std::string draw() {
    Svg page(kPageWidth, height_);
    if (!frame_.title.empty()) page.text(kMargin, kMargin + 6, frame_.title, {.size = 7.5, .bold = true});
    draw_ground(page);
    if (bars_.size() > kMostBars) {
      draw_raster(page);
    } else {
      draw_bars(page);
    }
    draw_frame(page);
    draw_legend(page);
    return page.finish();
  }

 private:
  // All links, or of each group every so-manieth.
  void choose_rows(const NetworkLayout& layout) {
    const std::vector<ArcId> all = rows_of(layout);
    every_ = (all.size() + kMostRows - 1) / kMostRows;
    every_ = std::max<size_t>(1, every_);
    row_of_.assign(network_.num_arcs(), kNoRow);
    size_t in_group = 0;
    for (const ArcId arc : all) {
      const std::string& name = layout.group_names[layout.group[index(arc)]];
      if (groups_.empty() || groups_.back().name != name) {
        groups_.push_back({name, rows_, 0});
        in_group = 0;
      }
      if (in_group++ % every_ != 0) continue;
      row_of_[index(arc)] = static_cast<uint32_t>(rows_++);
      ++groups_.back().rows;
    }
  }

  // Whether bars of one row ever overlap; then rows are shared by lanes.
  void find_lanes() {
    std::ranges::sort(bars_, [this](const TimelineBar& a, const TimelineBar& b) {
      return std::tuple(row(a), a.begin, a.lane, a.end) < std::tuple(row(b), b.begin, b.lane, b.end);
    });
    uint32_t lanes = 1;
    for (const TimelineBar& bar : bars_) lanes = std::max(lanes, bar.lane + 1);
    uint64_t until = 0;
    uint32_t before = kNoRow;
    for (const TimelineBar& bar : bars_) {
      if (row(bar) != before) until = 0;
      before = row(bar);
      if (bar.begin < until) lanes_ = lanes;
      until = std::max(until, bar.end);
    }
  }

  void place() {
    const double gaps = groups_.empty() ? 0 : 3.0 * static_cast<double>(groups_.size() - 1);
    high_ = std::clamp(440.0 / static_cast<double>(std::max<size_t>(1, rows_)), 2.0, 9.0);
    double gutter = 0;
    for (const Group& group : groups_) gutter = std::max(gutter, text_width(group.name, 6.5));
    left_ = kMargin + gutter + 5;
    top_ = kMargin + (frame_.title.empty() ? 4 : 14);
    bottom_ = top_ + high_ * static_cast<double>(rows_) + gaps;
    height_ = bottom_ + 46;
    scale_ = (kPageWidth - kMargin - 6 - left_) / static_cast<double>(end_);
  }

  [[nodiscard]] uint32_t row(const TimelineBar& bar) const { return row_of_[index(bar.arc)]; }
  [[nodiscard]] double x(uint64_t cycle) const { return left_ + scale_ * static_cast<double>(cycle); }
  [[nodiscard]] size_t group_of(size_t row) const {
    size_t g = 0;
    while (g + 1 < groups_.size() && groups_[g + 1].first <= row) ++g;
    return g;
  }
  [[nodiscard]] double y(size_t row) const {
    return top_ + high_ * static_cast<double>(row) + 3.0 * static_cast<double>(group_of(row));
  }

  void draw_ground(Svg& page) const {
    SvgPath ground;
    for (const Group& group : groups_) {
      if (group.rows == 0) continue;
      ground.box(left_, y(group.first), scale_ * static_cast<double>(end_),
                 high_ * static_cast<double>(group.rows));
    }
    page.fill(ground, "#f3f4f6");
  }

  [[nodiscard]] size_t shade_of_step(uint32_t step) const {
    if (frame_.steps <= kMostNamedSteps) return step;
    return static_cast<size_t>(step) * kShades / frame_.steps;
  }
  [[nodiscard]] size_t step_shades() const {
    return frame_.steps <= kMostNamedSteps ? std::max<uint32_t>(1, frame_.steps) : kShades;
  }
  [[nodiscard]] std::string colour_of_step(size_t shade) const {
    const auto all = static_cast<double>(step_shades());
    return to_hex(value_colour(all < 2 ? 0.75 : 0.12 + 0.88 * static_cast<double>(shade) / (all - 1)));
  }

  void draw_bars(Svg& page) {
    std::vector<SvgPath> shades(step_shades());
    SvgPath seams;
    SvgPath waits;
    const double lane_high = high_ / lanes_;
    for (const TimelineBar& bar : bars_) {
      const double at = y(row(bar)) + (lanes_ > 1 ? lane_high * bar.lane : 0.0);
      const double rim = lane_high > 3 ? 0.3 : 0.08 * lane_high;
      const double wide = scale_ * static_cast<double>(bar.end - bar.begin);
      shades[shade_of_step(bar.step)].box(x(bar.begin), at + rim, wide, lane_high - 2 * rim);
      if (wide > 1.5) seams.move(x(bar.begin), at).line(x(bar.begin), at + lane_high);
      if (bar.begin > bar.asked) {
        waits.move(x(bar.asked), at + lane_high / 2).line(x(bar.begin), at + lane_high / 2);
        ++waits_;
      }
    }
    for (size_t i = 0; i < shades.size(); ++i) page.fill(shades[i], colour_of_step(i));
    page.stroke(seams, {.colour = to_hex(kPaper), .width = 0.35});
    page.stroke(waits, {.colour = to_hex(kFindingAccent), .width = std::clamp(lane_high * 0.25, 0.4, 0.9)});
  }

  // How busy each link is in each part of the time.
  void draw_raster(Svg& page) const {
    const auto bins = static_cast<size_t>(std::min<uint64_t>(kMostBins, end_));
    std::vector<double> busy(rows_ * bins, 0.0);
    const double width = static_cast<double>(end_) / static_cast<double>(bins);
    for (const TimelineBar& bar : bars_) {
      const auto begin = static_cast<double>(bar.begin);
      const auto end = static_cast<double>(bar.end);
      for (auto bin = static_cast<size_t>(begin / width); bin < bins; ++bin) {
        const double from = std::max(begin, width * static_cast<double>(bin));
        const double to = std::min(end, width * static_cast<double>(bin + 1));
        if (to <= from) break;
        busy[row(bar) * bins + bin] += (to - from) / width / lanes_;
      }
    }
    for (size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (group.rows == 0) continue;
      std::vector<SvgPath> shades(kShades);
      for (size_t r = 0; r < group.rows; ++r) {
        const auto shade = [&](size_t bin) {
          const double share = busy[(group.first + r) * bins + bin];
          if (share <= 0) return kShades;
          return std::min(kShades - 1, static_cast<size_t>(share * kShades));
        };
        for (size_t first = 0; first < bins;) {
          size_t last = first + 1;
          while (last < bins && shade(last) == shade(first)) ++last;
          if (shade(first) < kShades) shades[shade(first)].cells(r, first, last);
          first = last;
        }
      }
      page.open(left_, y(group.first), scale_ * width, high_, true);
      for (size_t i = 0; i < kShades; ++i)
        page.fill(shades[i], to_hex(value_colour((static_cast<double>(i) + 0.5) / kShades)));
      page.close();
    }
  }

  void draw_frame(Svg& page) const {
    SvgPath rules;
    for (const uint64_t cycle : frame_.rules) rules.move(x(cycle), top_ - 2).line(x(cycle), bottom_ + 2);
    page.stroke(rules, {.colour = to_hex(kInk), .width = 0.4, .dash = "2 1.5"});
    for (const Group& group : groups_) {
      if (group.rows == 0) continue;
      page.text(left_ - 4, y(group.first) + high_ * static_cast<double>(group.rows) / 2 + 2.2, group.name,
                {.size = 6.5, .anchor = SvgAnchor::kEnd});
    }
    SvgPath axis;
    axis.move(left_, bottom_ + 3).line(x(end_), bottom_ + 3);
    const uint64_t tick = tick_of(end_);
    for (uint64_t cycle = 0; cycle <= end_; cycle += tick) {
      axis.move(x(cycle), bottom_ + 3).line(x(cycle), bottom_ + 5.5);
      page.text(x(cycle), bottom_ + 12, with_thousands(cycle), {.size = 6, .anchor = SvgAnchor::kMiddle});
    }
    page.stroke(axis, {.colour = to_hex(kInk), .width = 0.4});
    page.text(
        x(end_), bottom_ + 21,
        fmt::format("cycles ({} in all)", time_words(static_cast<double>(frame_.end) * frame_.cycle_ns)),
        {.size = 6.5, .anchor = SvgAnchor::kEnd});
  }

  void draw_legend(Svg& page) const {
    double at = left_;
    const double y = bottom_ + 29;
    const auto say = [&](std::string_view words) {
      page.text(at, y + 5.3, words, {.size = 6.5});
      at += text_width(words, 6.5) + 8;
    };
    const auto box = [&](double width, std::string_view colour) {
      SvgPath path;
      path.box(at, y, width, 6);
      page.fill(path, colour);
      at += width;
    };
    if (bars_.size() > kMostBars) {
      for (size_t i = 0; i < kShades; ++i)
        box(3, to_hex(value_colour((static_cast<double>(i) + 0.5) / kShades)));
      at += 3;
      say("0 to 100 % of its channels are held");
    } else if (frame_.steps > kMostNamedSteps) {
      say("step 1");
      at -= 5;
      for (size_t i = 0; i < step_shades(); ++i) box(3, colour_of_step(i));
      at += 3;
      say(with_thousands(frame_.steps));
    } else {
      for (size_t i = 0; i < step_shades(); ++i) {
        box(8, colour_of_step(i));
        at += 2;
        say(fmt::format("{}{}", i == 0 ? "step " : "", i + 1));
        at -= 3;
      }
      at += 3;
    }
    if (waits_ > 0) {
      SvgPath line;
      line.move(at, y + 3).line(at + 10, y + 3);
      page.stroke(line, {.colour = to_hex(kFindingAccent), .width = 0.9});
      at += 13;
      say("waits for the link");
    }
    if (!frame_.rules.empty()) {
      SvgPath line;
      line.move(at, y - 1).line(at, y + 7);
      page.stroke(line, {.colour = to_hex(kInk), .width = 0.4, .dash = "2 1.5"});
      at += 3;
      say("barrier");
    }
    if (every_ > 1)
      say(fmt::format("{} of {} links, one in {} of each group", with_thousands(rows_),
                      with_thousands(network_.num_arcs()), every_));
  }

  const Topology& network_;
  const LinkTimeline& frame_;
  const uint64_t end_;
  std::vector<TimelineBar> bars_{};
  std::vector<uint32_t> row_of_{};
  std::vector<Group> groups_{};
  size_t rows_ = 0;
  size_t every_ = 1;
  uint32_t lanes_ = 1;
  uint64_t waits_ = 0;
  double high_ = 1;
  double left_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double height_ = 1;
  double scale_ = 1;
};

}  // namespace
}  // namespace link_timeline_parts

std::string link_timeline(const Topology& network, const NetworkLayout& layout,
                          std::span<const TimelineBar> bars, const LinkTimeline& frame) {
  return link_timeline_parts::Diagram(network, layout, bars, frame).draw();
}

}  // namespace quadrille
