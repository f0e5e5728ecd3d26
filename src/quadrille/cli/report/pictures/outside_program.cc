#include "quadrille/cli/report/pictures/outside_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"

namespace quadrille {

TemporaryFile::TemporaryFile(std::string_view content)
    : path_((std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string()) {
  const int file = mkstemp(path_.data());
  if (file < 0) throw InputError(fmt::format("cannot make a temporary file like {}", path_));
  close(file);
  write_file(path_, content);
}

TemporaryFile::~TemporaryFile() { std::remove(path_.c_str()); }

std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

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

}  // namespace quadrille
