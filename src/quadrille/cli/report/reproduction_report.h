// How a table or a figure that was computed anew is printed and drawn.
#pragma once

#include <string>

#include "quadrille/base/json/json.h"
#include "quadrille/reproduce/exhibit.h"

namespace quadrille {

/// Tables; in a column of which the paper prints something, its values stand beside, in brackets where they differ. Then
/// what is to be said of it: how many agree, why others do not, the verdict of the claims.
[[nodiscard]] std::string reproduction_text(const Exhibit& card, const Reproduction& made);

/// One line per cell: exhibit, sheet, row, column, value, printed, agrees.
[[nodiscard]] std::string csv_header(bool simulated);
[[nodiscard]] std::string reproduction_csv(const Exhibit& card, const Reproduction& made, bool simulated);
[[nodiscard]] Json reproduction_json(const Exhibit& card, const Reproduction& made);

/// Whether some sheet of it has curves.
[[nodiscard]] bool is_drawn(const Reproduction& made);
/// A script for gnuplot that draws them side by side and writes "svg" or "png" to its standard output.
[[nodiscard]] std::string reproduction_plot(const Exhibit& card, const Reproduction& made,
                                            const std::string& format);

}  // namespace quadrille
