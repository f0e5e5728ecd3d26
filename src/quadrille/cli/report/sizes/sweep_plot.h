// How a sweep over message sizes is drawn.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "quadrille/cli/report/sizes/sweep_report.h"

namespace quadrille {

/// A script for gnuplot that draws one network beside the other, on logarithmic axes: the best plan and the bound, those
/// that are the best somewhere, the regions by their algorithms; it writes "svg" or "png" to its standard output.
[[nodiscard]] std::string sweep_plot(std::span<const NetworkSweep> all, const std::string& format);

/// Between two sizes of which the one's best algorithm is `smaller`, the other's `larger`: where both take as long. Of algorithms that
/// take as long at the larger size, too, the middle.
[[nodiscard]] double border_between(const NetworkSweep& made, std::string_view smaller, uint64_t from,
                                    std::string_view larger, uint64_t to);

}  // namespace quadrille
