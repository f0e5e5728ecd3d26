#include "quadrille/draw/value_scale.h"

#include <algorithm>
#include <cmath>

#include "quadrille/base/text.h"

namespace quadrille {

uint32_t ValueScale::colours() const {
  if (!words.empty()) return static_cast<uint32_t>(words.size());
  if (whole && largest <= kMostColours) return std::max(1U, static_cast<uint32_t>(largest));
  return kMostColours;
}

uint32_t ValueScale::colour_of(double value) const {
  const uint32_t many = colours();
  const double share = whole && largest <= kMostColours ? value - 1 : value / largest * many - 1e-9;
  return static_cast<uint32_t>(std::clamp(share, 0.0, many - 1.0));
}

double ValueScale::weight(uint32_t number) const {
  const uint32_t many = colours();
  return many == 1 ? 0.75 : static_cast<double>(number) / (many - 1);
}

Colour ValueScale::colour(uint32_t number) const { return value_colour(weight(number)); }

void draw_legend(Svg& page, double x, double y, double width, const ValueScale& scale) {
  page.text(x, y + 5.5, scale.name);
  const uint32_t many = scale.colours();
  const bool each = !scale.words.empty() || (scale.whole && scale.largest <= kMostColours);
  const double cell = std::min(width / many, each ? 22.0 : 9.0);
  for (uint32_t i = 0; i < many; ++i) {
    SvgPath box;
    box.box(x + i * cell, y + 8, each ? cell - 1 : cell + 0.1, 4.5);
    page.fill(box, to_hex(scale.colour(i)));
    if (!each) continue;
    page.text(x + (i + 0.5) * cell - 0.5, y + 19, scale.words.empty() ? shown_number(i + 1) : scale.words[i],
              {.size = 6, .anchor = SvgAnchor::kMiddle});
  }
  if (each) return;
  page.text(x, y + 19, scale.whole ? "1" : "0", {.size = 6});
  page.text(x + many * cell, y + 19, shown_number(scale.largest), {.size = 6, .anchor = SvgAnchor::kEnd});
}

std::string shown_number(double value) {
  const double rounded = std::round(value);
  if (std::abs(value - rounded) < 0.005 && std::abs(rounded) < 9e15)
    return rounded < 0 ? "-" + with_thousands(static_cast<uint64_t>(-rounded))
                       : with_thousands(static_cast<uint64_t>(rounded));
  return svg_number(value);
}

double nice_step(double length, double most) {
  const double least = length / std::max(1.0, most);
  const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-12))));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace quadrille
