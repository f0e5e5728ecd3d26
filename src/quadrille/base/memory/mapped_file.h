// MappedFile: the text of a file as it lies on the disk, for a reader that goes through it once.
//
//     MappedFile file(path);
//     for (...) { read(file.text(), at); file.let_go_before(at); }     // memory stays small, however long the file is
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quadrille {

class MappedFile {
 public:
  /// Throws InputError in read_file()'s words. What cannot be mapped is read.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view text() const { return text_; }
  /// What lies before `offset` costs no memory until somebody looks at it again, which is allowed.
  void let_go_before(size_t offset);

 private:
  void* mapped_ = nullptr;
  size_t gone_ = 0;
  std::string_view text_;
  std::string read_;  // where nothing is mapped
};

}  // namespace quadrille
