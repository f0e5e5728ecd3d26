#include "quadrille/base/memory/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

// So much is let go at once; a whole number of pages of any size.
constexpr size_t kAtOnce = size_t{1} << 22U;

}  // namespace

MappedFile::MappedFile(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (file_ >= 0 && fstat(file_, &status_) == 0 && S_ISREG(status_.st_mode) && status_.st_size > 0) {
    const auto size = static_cast<size_t>(status_.st_size);
    void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_, 0);
    if (at != MAP_FAILED) {
      guard_.emplace(at, size);
      const std::string_view text(static_cast<const char*>(at), size);
      // A byte-order mark is no part of it: read_file() leaves it out.
      if (guard_->guards() && !text.starts_with("\xEF\xBB\xBF")) {
        mapped_ = at;
        text_ = text;
        static_cast<void>(madvise(at, size, MADV_SEQUENTIAL));
        return;
      }
      guard_.reset();
      static_cast<void>(munmap(at, size));
    }
  }
  if (file_ >= 0) static_cast<void>(close(file_));
  file_ = -1;
  read_ = read_file(path);
  text_ = read_;
}

MappedFile::~MappedFile() {
  if (mapped_ == nullptr) return;
  guard_.reset();
  static_cast<void>(munmap(mapped_, text_.size()));
  static_cast<void>(close(file_));
}

void MappedFile::require_unchanged() const {
  if (mapped_ == nullptr) return;
  struct stat now {};
  const bool known = fstat(file_, &now) == 0;
  if (is_cut_short() || !known || now.st_size < status_.st_size)
    throw InputError(fmt::format("{}: the file was cut short while it was read", path_));
  if (now.st_size != status_.st_size || now.st_mtim.tv_sec != status_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != status_.st_mtim.tv_nsec)
    throw InputError(fmt::format("{}: the file was written to while it was read", path_));
}

void MappedFile::let_go_before(size_t offset) {
  const size_t end = offset / kAtOnce * kAtOnce;
  if (mapped_ == nullptr || end == gone_ || end > text_.size()) return;
  if (end < gone_) gone_ = 0;  // somebody goes through it once more
  static_cast<void>(madvise(static_cast<char*>(mapped_) + gone_, end - gone_, MADV_DONTNEED));
  gone_ = end;
}

}  // namespace quadrille
