// Files, read whole and written so that nothing is ever half-written.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace quadrille {

/// The whole file; throws InputError naming the path when it cannot be read or is not a regular file: what a
/// device gives may never end.
[[nodiscard]] std::string read_file(const std::string& path);

/// Writes beside the name and renames, so that the path holds either the old file or the whole new one.
/// Throws InputError naming the path.
void write_file(const std::string& path, std::string_view content);

/// The same for content that comes in parts: nothing has the name `path` before commit(), and without
/// commit() nothing is left behind.
///
///     FileWriter out("net.plan");
///     out.write("quadrille-plan 1\n");
///     out.commit();
class FileWriter {
 public:
  /// Throws InputError naming the path when it cannot be written.
  explicit FileWriter(std::string path);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  void write(std::string_view part);
  /// Gives the file its name. Throws InputError naming the path when not all could be written.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string beside_;
  std::ofstream out_;
  bool committed_ = false;
};

}  // namespace quadrille
