// Pictures as files: SVG as it is, PNG and PDF through librsvg's converter.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// "svg", "png" or "pdf". Throws InputError for a path that ends otherwise.
[[nodiscard]] std::string drawing_format(const std::string& path);

/// Writes a picture in the form that the path ends in; PNG has 2.5 pixels for each point (180 per inch). Throws InputError where the
/// converter is not there, and says which package has it, or where it fails.
void write_picture(const std::string& path, std::string_view svg);

}  // namespace quadrille
