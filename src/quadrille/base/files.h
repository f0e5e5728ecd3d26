// Files, read whole and written so that nothing is ever half-written.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/unfinished_files.h"

namespace quadrille {

/// The whole file, without a byte-order mark; throws InputError naming the path when it cannot be read or is not a regular file: what a
/// device gives may never end.
[[nodiscard]] std::string read_file(const std::string& path);

/// All that a stream still gives, such as standard input, likewise; `name` is how the error calls it. Throws InputError
/// when reading fails (a folder as standard input, a disk that gives no more).
[[nodiscard]] std::string read_stream(std::istream& in, std::string_view name);

/// True if the path is that of a device, a pipe or a terminal; /dev/stdout is one, whatever it is joined to.
[[nodiscard]] bool is_special_file(const std::string& path);

/// Writes beside the name and renames, so that the path holds either the old file or the whole new one.
/// Throws InputError naming the path.
void write_file(const std::string& path, std::string_view content);

/// From now on this process writes its files nowhere, as if to /dev/null: another one that does the same work writes them.
void write_files_nowhere();
[[nodiscard]] bool files_go_nowhere();

/// How a file is written; everybody wants it as it stands here.
struct FileWriting {
  std::chrono::milliseconds patience{5000};  ///< with a pipe that nobody reads
  bool nameless = true;                      ///< until it is whole, where the file system can
};

/// The same for content that comes in parts: nothing has the name `path` before commit(), and without
/// commit() nothing is left behind, not after Ctrl-C either.
///
///     FileWriter out("net.plan");
///     out.write("quadrille-plan 1\n");
///     out.commit();
///
/// What is there already keeps its permissions; of a symbolic link the target is written, and the link stays.
/// Where the file system has files without a name, the passing file is one: whatever ends the program, nothing
/// is left. Elsewhere it has a name that nobody can foresee and is created, never opened: a link that somebody
/// planted in the folder is not followed. It is on the disk before it gets its name. A device, a pipe and
/// whatever standard output is joined to are written straight through: there is nothing to rename. A pipe that
/// nobody reads is refused after a while.
class FileWriter {
 public:
  /// Throws InputError naming the path when it cannot be written.
  explicit FileWriter(std::string path, FileWriting how = {});
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  void write(std::string_view part);
  /// Gives the file its name. Throws InputError naming the path when not all could be written.
  void commit();

 private:
  // Closed at the end of its life.
  class Descriptor {
   public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { static_cast<void>(close()); }

    [[nodiscard]] int number() const { return number_; }
    void set(int number) {
      static_cast<void>(close());
      number_ = number;
    }
    // What ::close() returns: with files of other machines it is where errors are reported.
    int close();

   private:
    int number_;
  };

  [[noreturn]] void fail(int error) const;
  bool open_straight(std::chrono::milliseconds patience);
  void open_pipe(std::chrono::milliseconds patience);
  void open_beside(bool nameless);
  bool open_nameless();
  void give_name();
  void flush();

  std::string path_;
  std::string name_;    // of the target in its folder; empty: written straight through
  std::string beside_;  // the passing name in the same folder; empty: the file has none yet
  std::optional<mode_t> mode_;
  Descriptor folder_;
  std::optional<UnfinishedFile> unfinished_;
  Descriptor file_;
  std::string buffer_;
  bool committed_ = false;
};

}  // namespace quadrille
