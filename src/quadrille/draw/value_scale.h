// ValueScale: what colours and widths of a picture mean, and the legend that says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/draw/colours.h"
#include "quadrille/draw/svg.h"

namespace quadrille {

struct ValueScale {
  std::string name{};  ///< "blocks", "hop of the block"
  double largest = 1;  ///< the value that is darkest
  bool whole = true;   ///< values are 1, 2, .. largest, each with a colour of its own as long as they are few
  /// Words for the values 1, 2, .. instead of numbers, "sum" and "result" perhaps.
  std::vector<std::string> words{};

  /// How many colours there are: at most kMostColours.
  [[nodiscard]] uint32_t colours() const;
  /// Which of them a value has: 0 for the lightest. What is above the largest has the darkest.
  [[nodiscard]] uint32_t colour_of(double value) const;
  [[nodiscard]] Colour colour(uint32_t number) const;
  /// From 0 to 1, for widths.
  [[nodiscard]] double weight(uint32_t number) const;
};

inline constexpr uint32_t kMostColours = 12;

/// How high a legend is.
inline constexpr double kLegendHeight = 20;
/// The name and the colours with their numbers, its upper left corner at (x, y).
void draw_legend(Svg& page, double x, double y, double width, const ValueScale& scale);

/// "1,234", "0.25", "12.5": for axes and legends.
[[nodiscard]] std::string shown_number(double value);
/// Steps of 1, 2 or 5 times a power of ten, so that at most `most` of them lie in `length`.
[[nodiscard]] double nice_step(double length, double most);

}  // namespace quadrille
