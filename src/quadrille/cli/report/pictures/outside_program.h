// Programs of others that draw for us: what they are given, and what they say.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// A file of its own that holds a text for as long as it is in scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A word for the shell.
[[nodiscard]] std::string shell_word(const std::string& text);

struct CommandOutput {
  std::string text;
  int status;
};

/// What a command of the shell prints, to its end. Its words are ours, or went through shell_word().
[[nodiscard]] CommandOutput output_of(const std::string& command);

}  // namespace quadrille
