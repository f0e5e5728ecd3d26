// Stored entries: what took a search to find, kept as a text that says where it came from.
//
//     quadrille-stored 1
//     kind worm_broadcast
//     torus 3,3
//     steps 2
//     made-by quadrille-search broadcast 3,3 2
//     solver CaDiCaL 1.5.3
//     verified by the judge: test WormLibrary.EveryEntryPassesTheJudgeInDimensionOrder
//     data
//     0 1+0+1 2+0-1
//     ...
//
// A head of keys and values, then the line "data", then what the kind says. data/README.md describes the
// kinds and how an entry is made again. The head is read when a kind is first asked for, the data of an entry
// only when somebody wants that entry.
//
// The reader is strict: a key that the kind does not know, one that is missing or there twice, a blank too
// many, or a byte that is not printable ASCII is refused. The files are ours, so that a mistake in one is an
// InternalError; it names file and line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quadrille {

/// What entries of a kind have in common.
struct StoredKind {
  std::string_view name{};    ///< what stands after "kind"
  std::string_view folder{};  ///< "data/worm_broadcasts/": where the files of the kind are, and no others
  std::span<const std::string_view> required{};  ///< keys beside made-by, solver and verified, in their order
  std::span<const std::string_view> optional{};  ///< ... and beside two remarks, found-by and again
};

class StoredEntry {
 public:
  /// Reads the head. `path` and `text` must outlive the entry, which only looks at them.
  StoredEntry(const StoredKind& kind, std::string_view path, std::string_view text);

  [[nodiscard]] std::string_view path() const { return path_; }
  [[nodiscard]] bool has(std::string_view key) const;
  /// The value of a key that the kind requires, or that has() said is there.
  [[nodiscard]] std::string_view value(std::string_view key) const;
  [[nodiscard]] uint32_t number(std::string_view key, uint32_t least, uint32_t most) const;
  /// Whole numbers separated by commas: "4,6,8".
  [[nodiscard]] std::vector<uint32_t> numbers(std::string_view key, uint32_t least, uint32_t most) const;
  /// All that follows the line "data".
  [[nodiscard]] std::string_view data() const { return data_; }

  /// A whole number that is `part`, a part of the entry's text.
  [[nodiscard]] uint32_t number_in(std::string_view part, uint32_t least, uint32_t most) const;
  /// Throws the InternalError "PATH:LINE: MESSAGE" with the line of `part`, which is a part of the text.
  [[noreturn]] void spoilt(std::string_view part, std::string_view message) const;

 private:
  std::string_view path_;
  std::string_view text_;
  std::string_view data_{};
  std::vector<std::pair<std::string_view, std::string_view>> fields_{};
};

/// The entries of a kind that were embedded, by rising path.
[[nodiscard]] std::vector<StoredEntry> stored_entries(const StoredKind& kind);

/// Writes an entry as the reader wants it. `fields` are all keys and values but "kind", in the order of the
/// kind.
[[nodiscard]] std::string write_stored_entry(const StoredKind& kind,
                                             std::span<const std::pair<std::string_view, std::string>> fields,
                                             std::string_view data);

}  // namespace quadrille
