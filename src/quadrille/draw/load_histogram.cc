// How loads are spread over links.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/draw/network_picture.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostBars = 60;
constexpr double kBarsHeight = 90;
constexpr double kAboveBars = 8;  // for what the mean is

}  // namespace

std::string load_histogram_svg(const LoadHistogram& histogram, const NetworkStyle& style) {
  if (histogram.loads.empty()) throw InputError("a histogram of no links");
  const uint64_t largest = *std::max_element(histogram.loads.begin(), histogram.loads.end());
  // Bars of whole loads, several together where there are too many.
  const auto each = static_cast<uint64_t>(
      std::max(1.0, nice_step(static_cast<double>(largest + 1), static_cast<double>(kMostBars))));
  std::vector<uint64_t> bars(largest / each + 1);
  for (const uint64_t load : histogram.loads) ++bars[load / each];
  const auto tallest = static_cast<double>(*std::max_element(bars.begin(), bars.end()));

  const double left = 30;
  const double top = histogram.title.empty() ? 6 : 16;
  const double width = style.width - left - 8;
  if (width < 40) throw InputError(fmt::format("a width of {} pt leaves no room", svg_number(style.width)));
  const double bottom = top + kAboveBars + kBarsHeight;
  Svg page(style.width, bottom + 24);
  if (!histogram.title.empty()) page.text(2, 8, histogram.title, {.bold = true});
  const double step = width / static_cast<double>(bars.size());
  const auto x_of = [&](double load) { return left + (load / static_cast<double>(each)) * step; };
  SvgPath boxes;
  for (size_t i = 0; i < bars.size(); ++i) {
    const double height = kBarsHeight * static_cast<double>(bars[i]) / tallest;
    if (bars[i] > 0)
      boxes.box(left + static_cast<double>(i) * step + 0.1 * step, bottom - height, 0.8 * step, height);
  }
  page.fill(boxes, to_hex(value_colour(0.7)));
  SvgPath axes;
  axes.move(left, top + kAboveBars - 2).line(left, bottom).line(left + width, bottom);
  SvgPath ticks;
  const double up = std::max(1.0, nice_step(tallest, 5));
  for (double count = 0; count <= tallest; count += up) {
    const double y = bottom - kBarsHeight * count / tallest;
    ticks.move(left - 2, y).line(left, y);
    page.text(left - 4, y + 2.3, shown_number(count), {.size = 6.5, .anchor = SvgAnchor::kEnd});
  }
  const double along =
      std::max(static_cast<double>(each), nice_step(static_cast<double>(largest + each), width / 24));
  for (double load = 0; load < static_cast<double>(bars.size() * each); load += along) {
    const double x = x_of(load + (each == 1 ? 0.5 : 0));
    ticks.move(x, bottom).line(x, bottom + 2);
    page.text(x, bottom + 9, shown_number(load), {.size = 6.5, .anchor = SvgAnchor::kMiddle});
  }
  page.stroke(axes, {.width = 0.4});
  page.stroke(ticks, {.width = 0.4});
  page.text(left + width / 2, bottom + 19, "blocks over a link, for a unit of its capacity",
            {.anchor = SvgAnchor::kMiddle});
  page.text(8, top + kAboveBars + kBarsHeight / 2, "links", {.anchor = SvgAnchor::kMiddle, .turned = -90});
  if (histogram.mean > 0 && histogram.mean < static_cast<double>(bars.size() * each)) {
    const double x = x_of(histogram.mean + (each == 1 ? 0.5 : 0));
    SvgPath mark;
    mark.move(x, top + kAboveBars - 2).line(x, bottom);
    page.stroke(mark, {.colour = to_hex(kBlockAccent), .width = 0.8, .dash = "2.4 1.4"});
    page.text(std::clamp(x, left + 14, left + width - 10), top + 4,
              fmt::format("mean {}", shown_number(histogram.mean)),
              {.size = 6, .anchor = SvgAnchor::kMiddle, .colour = to_hex(kBlockAccent)});
  }
  return page.finish();
}

}  // namespace quadrille
