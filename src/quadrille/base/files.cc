#include "quadrille/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <ios>
#include <istream>
#include <iterator>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr size_t kBuffer = size_t{1} << 16U;
bool go_nowhere = false;        // files that are written
constexpr int kMostLinks = 40;  // a chain of symbolic links, as the system counts

std::string words_of(int error) { return std::error_code(error, std::generic_category()).message(); }

// Editors and spreadsheets begin a text with one.
std::string without_mark(std::string content) {
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  return content;
}

// Repeats a call that a signal has interrupted.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Where a chain of symbolic links ends; that file need not be there.
std::filesystem::path end_of_links(std::filesystem::path path) {
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code none;
    const std::filesystem::path next = std::filesystem::read_symlink(path, none);
    if (none) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

std::string random_name() {
  std::random_device chance;
  const uint64_t number = uint64_t{chance()} << 32U | chance();
  return fmt::format(".quadrille-{:016x}.tmp", number);
}

}  // namespace

void write_files_nowhere() { go_nowhere = true; }
bool files_go_nowhere() { return go_nowhere; }

std::string read_file(const std::string& path) {
  const auto fail = [&](std::string_view why) {
    throw InputError(fmt::format("cannot read '{}': {}", path, why));
  };
  // Without O_NONBLOCK a pipe would be waited for.
  const int file = uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (file < 0) fail(words_of(errno));
  struct Closing {
    int file;
    ~Closing() { static_cast<void>(close(file)); }
  } const closing{file};
  struct stat status {};
  if (fstat(file, &status) != 0) fail(words_of(errno));
  if (S_ISDIR(status.st_mode)) fail("it is a directory");
  // A device may have no end, and a pipe no writer.
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file");

  std::string content;
  content.reserve(static_cast<size_t>(status.st_size));
  std::array<char, kBuffer> part{};
  while (true) {
    const ssize_t got = uninterrupted([&] { return ::read(file, part.data(), part.size()); });
    if (got < 0) fail(words_of(errno));
    if (got == 0) return without_mark(std::move(content));
    content.append(part.data(), static_cast<size_t>(got));
  }
}

std::string read_stream(std::istream& in, std::string_view name) {
  errno = 0;
  try {
    return without_mark(std::string(std::istreambuf_iterator<char>(in), {}));
  } catch (const std::ios_base::failure&) {
    throw InputError(fmt::format("cannot read {}: {}", name, errno == 0 ? "it breaks off" : words_of(errno)));
  }
}

bool is_special_file(const std::string& path) {
  if (path.starts_with("/dev/")) return true;
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void write_file(const std::string& path, std::string_view content) {
  FileWriter out(path);
  out.write(content);
  out.commit();
}

int FileWriter::Descriptor::close() {
  if (number_ < 0) return 0;
  const int number = number_;
  number_ = -1;
  return ::close(number);
}

FileWriter::FileWriter(std::string path, FileWriting how)
    : path_(files_go_nowhere() ? "/dev/null" : std::move(path)) {
  if (!open_straight(how.patience)) open_beside(how.nameless);
}

// False if the path is a file to be replaced, or none yet.
bool FileWriter::open_straight(std::chrono::milliseconds patience) {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(errno);
    return false;
  }
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  // What a shell has joined to our output must not be replaced: the rest of the output would go nowhere.
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat joined {};
    if (fstat(output, &joined) != 0 || !same_file(status, joined)) continue;
    file_.set(fcntl(output, F_DUPFD_CLOEXEC, 3));
    if (file_.number() < 0) fail(errno);
    return true;
  }
  if (S_ISREG(status.st_mode)) {
    mode_ = status.st_mode & 0777U;
    return false;
  }
  if (S_ISFIFO(status.st_mode)) {
    open_pipe(patience);
    return true;
  }
  file_.set(uninterrupted([this] { return open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }));
  if (file_.number() < 0) fail(errno);
  return true;
}

// Opening a pipe waits for a reader, for ever and without a word; its reader may come a moment after us.
void FileWriter::open_pipe(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + patience;
  while (true) {
    file_.set(uninterrupted([this] { return open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (file_.number() >= 0) break;
    if (errno != ENXIO) fail(errno);
    if (Clock::now() >= end) {
      throw InputError(
          fmt::format("cannot write '{}': it is a pipe, and nobody has opened it to read for {:.1f} s", path_,
                      std::chrono::duration<double>(patience).count()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const int flags = fcntl(file_.number(), F_GETFL);
  if (flags < 0 || fcntl(file_.number(), F_SETFL, flags & ~O_NONBLOCK) != 0) fail(errno);
}

// False where the file system has no files without a name, or there is no /proc to name one by.
bool FileWriter::open_nameless() {
#ifdef O_TMPFILE
  if (access("/proc/self/fd", X_OK) != 0) return false;
  file_.set(uninterrupted([this] {
    return openat(folder_.number(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode_ ? 0600 : 0666);
  }));
#endif
  return file_.number() >= 0;
}

// A passing name for the file without one: a name that is there already cannot be given, only taken over.
void FileWriter::give_name() {
  const std::string source = fmt::format("/proc/self/fd/{}", file_.number());
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    beside_ = random_name();
    unfinished_.emplace(folder_.number(), beside_);
    if (linkat(AT_FDCWD, source.c_str(), folder_.number(), beside_.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
    const int error = errno;
    beside_.clear();
    if (error != EEXIST) fail(error);
  }
  fail(EEXIST);
}

void FileWriter::open_beside(bool nameless) {
  const std::filesystem::path target = end_of_links(path_);
  name_ = target.filename().string();
  if (name_.empty()) fail(EISDIR);  // "folder/"
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  folder_.set(uninterrupted([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (folder_.number() < 0) fail(errno);
  if (nameless && open_nameless()) return;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  constexpr int kTries = 100;
  for (int i = 0; i < kTries && file_.number() < 0; ++i) {
    beside_ = random_name();
    unfinished_.emplace(folder_.number(), beside_);
    file_.set(uninterrupted(
        [&] { return openat(folder_.number(), beside_.c_str(), kFlags, mode_ ? 0600 : 0666); }));
    if (file_.number() < 0 && errno != EEXIST) fail(errno);
  }
  if (file_.number() < 0) fail(EEXIST);
}

FileWriter::~FileWriter() {
  if (committed_ || name_.empty() || beside_.empty() || file_.number() < 0) return;
  static_cast<void>(unlinkat(folder_.number(), beside_.c_str(), 0));
}

void FileWriter::write(std::string_view part) {
  buffer_ += part;
  if (buffer_.size() >= kBuffer) flush();
}

void FileWriter::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t done = uninterrupted([&] { return ::write(file_.number(), left.data(), left.size()); });
    if (done < 0) fail(errno);
    left.remove_prefix(static_cast<size_t>(done));
  }
  buffer_.clear();
}

void FileWriter::commit() {
  flush();
  if (name_.empty()) {
    if (file_.close() != 0) fail(errno);
    committed_ = true;
    return;
  }
  if (mode_ && fchmod(file_.number(), *mode_) != 0) fail(errno);
  // Without it a machine that loses power might keep the new name and not the content. Some file systems
  // cannot, and say so.
  const int synced = uninterrupted([this] { return fsync(file_.number()); });
  if (synced != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  if (beside_.empty()) give_name();
  const auto give_up = [this](int error) {
    static_cast<void>(unlinkat(folder_.number(), beside_.c_str(), 0));
    name_.clear();  // nothing is left to be removed
    fail(error);
  };
  if (file_.close() != 0) give_up(errno);
  if (renameat(folder_.number(), beside_.c_str(), folder_.number(), name_.c_str()) != 0) give_up(errno);
  committed_ = true;
  unfinished_.reset();
}

void FileWriter::fail(int error) const {
  throw InputError(fmt::format("cannot write '{}': {}", path_, words_of(error)));
}

}  // namespace quadrille
