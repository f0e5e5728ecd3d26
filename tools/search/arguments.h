// The words after `quadrille-search COMMAND`: positional ones first, then options.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::search_tool {

class Arguments {
 public:
  /// Options that take a value, and options that do not. Throws InputError for any other.
  Arguments(std::span<const std::string> words, std::span<const std::string_view> with_value,
            std::span<const std::string_view> without);

  /// The k-th positional word; throws InputError, naming what it is, if there is none.
  [[nodiscard]] const std::string& word(size_t k, std::string_view what) const;
  [[nodiscard]] size_t words() const { return words_.size(); }
  [[nodiscard]] bool has(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
  [[nodiscard]] uint32_t number(std::string_view option, uint32_t otherwise) const;

 private:
  struct Option {
    std::string name{};
    std::string value{};
  };
  std::vector<std::string> words_;
  std::vector<Option> options_;
};

/// Throws InputError, naming what it was to be, for anything but a whole number within the limits.
[[nodiscard]] uint32_t whole_number(std::string_view text, std::string_view what, uint32_t least = 0,
                                    uint32_t most = UINT32_MAX);
/// "4,6,8"; each at least `least`.
[[nodiscard]] std::vector<uint32_t> whole_numbers(std::string_view text, std::string_view what,
                                                  uint32_t least);
/// The words of a command line as a shell would split it, as far as double quotes go.
[[nodiscard]] std::vector<std::string> split_words(std::string_view line);

}  // namespace quadrille::search_tool
