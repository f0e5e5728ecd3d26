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
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    throw InputError(fmt::format("cannot read '{}': it is a directory", path));
  }
  // A device may have no end, and a pipe no writer.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError(fmt::format("cannot read '{}': it is not a regular file", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::string content(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return content;
}

void write_file(const std::string& path, std::string_view content) {
  FileWriter out(path);
  out.write(content);
  out.commit();
}

FileWriter::FileWriter(std::string path)
    : path_(std::move(path)),
      beside_(fmt::format("{}.{}.tmp", path_, ::getpid())),
      out_(beside_, std::ios::binary) {
  if (!out_) fail(errno);
}

FileWriter::~FileWriter() {
  if (committed_) return;
  out_.close();
  std::error_code ignored;
  std::filesystem::remove(beside_, ignored);
}

void FileWriter::write(std::string_view part) {
  if (!out_.write(part.data(), static_cast<std::streamsize>(part.size()))) fail(errno);
}

void FileWriter::commit() {
  out_.close();
  if (!out_) fail(errno);
  std::error_code error;
  std::filesystem::rename(beside_, path_, error);
  if (error) fail(error.value());
  committed_ = true;
}

void FileWriter::fail(int error) const {
  throw InputError(
      fmt::format("cannot write '{}': {}", path_, std::error_code(error, std::generic_category()).message()));
}

}  // namespace quadrille
