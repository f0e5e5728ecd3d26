// MappedFile: the text of a file as it lies on the disk, for a reader that goes through it once.
//
//     MappedFile file(path);
//     for (...) { read(file.text(), at); file.let_go_before(at); }     // memory stays small, however long the file is
//     file.require_unchanged();                                        // somebody may have written to it meanwhile
//
// Where the file is cut short while it is read, zeros are read instead of what is gone (bus_guard.h).
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/memory/bus_guard.h"

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
  /// Whether something was looked at that is not there any more.
  [[nodiscard]] bool is_cut_short() const { return guard_ && guard_->was_hit(); }
  /// Throws InputError where the file is not as long, or was written to, since it was mapped: what was read may be of two files.
  void require_unchanged() const;

 private:
  std::string path_;
  int file_ = -1;  // stays open, for a look at its end
  struct stat status_ {};
  void* mapped_ = nullptr;
  size_t gone_ = 0;
  std::string_view text_;
  std::string read_;  // where nothing is mapped
  std::optional<BusGuard> guard_{};
};

}  // namespace quadrille
