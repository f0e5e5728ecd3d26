// Pictures, drawn by gnuplot. It is a tool that is looked for when a picture is wanted, not one that
// Quadrille is built with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace quadrille {

/// Of curves, points and names that belong together.
inline constexpr std::array<std::string_view, 8> kPictureColours = {
    "#1f4e9c", "#c4521b", "#2e7d32", "#7b3fa0", "#b08a00", "#00838f", "#ad1457", "#5d4037"};
/// That of a name, by its place among all; of more names than colours some share one.
[[nodiscard]] inline std::string_view picture_colour(std::span<const std::string> names,
                                                     std::string_view name) {
  const auto at = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  return kPictureColours[at % kPictureColours.size()];
}

/// "svg" or "png" by the end of the name; throws InputError for any other. `or_script`: the error names .gnuplot, too, which the caller
/// takes by itself.
[[nodiscard]] std::string picture_format(const std::string& path, bool or_script = false);

/// The text between double quotes, for a script; quotes and backslashes in it become apostrophes.
[[nodiscard]] std::string gnuplot_string(std::string_view text);

/// Runs the script, which must write the picture to its standard output, and writes it to the file. Throws
/// InputError where there is no gnuplot, or it fails, or the file cannot be written.
void draw_with_gnuplot(const std::string& script, const std::string& path);

}  // namespace quadrille
