#include "quadrille/cli/report/pictures/svg_picture.h"

#include <fmt/format.h>

#include <filesystem>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/value_error.h"
#include "quadrille/cli/report/pictures/outside_program.h"

namespace quadrille {

std::string drawing_format(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg" || extension == ".png" || extension == ".pdf") return extension.substr(1);
  throw ValueError(fmt::format("-o: '{}' must end in .svg, .png or .pdf", path),
                   {.of = "--output", .given = path, .allowed = {".svg", ".png", ".pdf"}});
}

void write_picture(const std::string& path, std::string_view svg) {
  const std::string format = drawing_format(path);
  if (format == "svg") {
    write_file(path, svg);
    return;
  }
  if (output_of("command -v rsvg-convert 2>&1").status != 0)
    throw InputError(fmt::format(
        "-o: {} needs rsvg-convert, which is not on this machine (Debian: librsvg2-bin); .svg needs nothing",
        path));
  const TemporaryFile file(svg);
  const std::string how = format == "png" ? "-f png -z 2.5 -b white" : "-f pdf";
  const CommandOutput picture =
      output_of(fmt::format("rsvg-convert {} {} 2>/dev/null", how, shell_word(file.path())));
  if (picture.status != 0 || picture.text.empty())
    throw InputError(
        fmt::format("-o: rsvg-convert could not make {}; it may be too large: give a smaller --width", path));
  write_file(path, picture.text);
}

}  // namespace quadrille
