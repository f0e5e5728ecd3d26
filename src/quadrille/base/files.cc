#include "quadrille/base/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "quadrille/base/input_error.h"

namespace quadrille {

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("cannot read '{}': it is a directory", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::string content(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return content;
}

void write_file(const std::string& path, std::string_view content) {
  const std::string beside = fmt::format("{}.{}.tmp", path, ::getpid());
  std::ofstream out(beside, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error;
  if (out) {
    std::filesystem::rename(beside, path, error);
    if (!error) return;
  } else {
    error = std::error_code(errno, std::generic_category());
  }
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  throw InputError(fmt::format("cannot write '{}': {}", path, error.message()));
}

}  // namespace quadrille
