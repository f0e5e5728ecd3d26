// Label places: where names stand in a picture so that none is printed over another.
//
//     lifted_labels({{.x = 40, .y = 300, .width = 110}, ...}, 12, 40)   // how far up each of them stands
//     spread_places({100, 104, 300}, 15, 0, 500)                        // 94.5, 109.5, 300
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace quadrille {

/// A name that is as high as a line, and begins where its point is; y grows downwards.
struct WantedLabel {
  double x = 0;
  double y = 0;
  double width = 0;
};
/// The y of each label: its own, or as little above as none of those further right is touched. Nothing where it would be above
/// `top`. The labels are sorted by x, and the further right the lower: so there is always room above.
[[nodiscard]] std::vector<std::optional<double>> lifted_labels(std::span<const WantedLabel> labels,
                                                               double height, double top);

/// Places at least `gap` apart, as near to the wanted ones, which rise, as that allows, and between `from` and `to`; where there is not
/// so much room for all, at equal distances.
[[nodiscard]] std::vector<double> spread_places(std::span<const double> wanted, double gap, double from,
                                                double to);

}  // namespace quadrille
