#include "quadrille/cli/report/pictures/gnuplot.h"

#include <fmt/format.h>

#include <filesystem>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/cli/report/pictures/outside_program.h"

namespace quadrille {
std::string picture_format(const std::string& path, bool or_script) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg" || extension == ".png") return extension.substr(1);
  throw InputError(fmt::format("--plot: '{}' must end in {}", path,
                               or_script ? ".svg, .png or .gnuplot" : ".svg or .png"));
}

std::string gnuplot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? '\'' : c;
  return out + "\"";
}

void draw_with_gnuplot(const std::string& script, const std::string& path) {
  if (output_of("command -v gnuplot 2>&1").status != 0) {
    throw InputError(fmt::format(
        "--plot: {} cannot be drawn: there is no gnuplot on this machine (Debian: gnuplot-nox)", path));
  }
  if (files_go_nowhere()) return;
  const TemporaryFile file(script);
  const CommandOutput picture = output_of("gnuplot " + shell_word(file.path()) + " 2>/dev/null");
  if (picture.status != 0 || picture.text.empty())
    throw InputError(fmt::format("--plot: gnuplot could not draw {}", path));
  write_file(path, picture.text);
}

}  // namespace quadrille
