#include "quadrille/base/memory/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "quadrille/base/files.h"

namespace quadrille {
namespace {

// So much is let go at once; a whole number of pages of any size.
constexpr size_t kAtOnce = size_t{1} << 22U;

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<size_t>(status.st_size);
    void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at != MAP_FAILED) {
      mapped_ = at;
      text_ = {static_cast<const char*>(at), size};
      static_cast<void>(madvise(at, size, MADV_SEQUENTIAL));
    }
  }
  if (file >= 0) static_cast<void>(close(file));
  if (mapped_ != nullptr) return;
  read_ = read_file(path);
  text_ = read_;
}

MappedFile::~MappedFile() {
  if (mapped_ != nullptr) static_cast<void>(munmap(mapped_, text_.size()));
}

void MappedFile::let_go_before(size_t offset) {
  const size_t end = offset / kAtOnce * kAtOnce;
  if (mapped_ == nullptr || end == gone_ || end > text_.size()) return;
  if (end < gone_) gone_ = 0;  // somebody goes through it once more
  static_cast<void>(madvise(static_cast<char*>(mapped_) + gone_, end - gone_, MADV_DONTNEED));
  gone_ = end;
}

}  // namespace quadrille
