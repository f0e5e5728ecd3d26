#include "quadrille/cli/report/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

// A file of its own that holds a text for as long as it is in scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_((std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string()) {
    const int file = mkstemp(path_.data());
    if (file < 0) throw InputError(fmt::format("cannot make a temporary file like {}", path_));
    close(file);
    write_file(path_, content);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A word for the shell.
std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

struct CommandOutput {
  std::string text;
  int status;
};

CommandOutput output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): the words are ours and quoted
  if (pipe == nullptr) return {"", -1};
  std::string text;
  std::array<char, 4096> part{};
  for (size_t got = fread(part.data(), 1, part.size(), pipe); got > 0;
       got = fread(part.data(), 1, part.size(), pipe)) {
    text.append(part.data(), got);
  }
  return {std::move(text), pclose(pipe)};
}

}  // namespace

std::string picture_format(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg" || extension == ".png") return extension.substr(1);
  throw InputError(fmt::format("--plot: '{}' must end in .svg or .png", path));
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
  const TemporaryFile file(script);
  const CommandOutput picture = output_of("gnuplot " + shell_word(file.path()) + " 2>/dev/null");
  if (picture.status != 0 || picture.text.empty())
    throw InputError(fmt::format("--plot: gnuplot could not draw {}", path));
  write_file(path, picture.text);
}

}  // namespace quadrille
