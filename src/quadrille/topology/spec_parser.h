// The text of a topology spec, taken apart: "fat_tree(4,4,2;constant)" becomes a SpecCall.
//
//     const SpecCall call = parse_spec("fat_tree(4,4,2;constant)", "topology");
//     call.name                        // "fat_tree"
//     call.sections[0].args[2].number  // 2
//     call.sections[1].args[0].text    // "constant"
//     throw call.error(call.sections[1].args[0].where, "...");   // with a caret under "constant"
//
// Nothing here knows which names are families, or what the numbers mean: that is the catalog's. Every part
// keeps its place in the text, so that whoever finds a mistake can point at it. docs/topology_specs.md has
// the grammar. Refused here: unclosed parentheses, text after the end, numbers of more than 64 bits, nesting
// deeper than kMaxSpecDepth, texts longer than kMaxSpecBytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/value_error.h"

namespace quadrille {

inline constexpr size_t kMaxSpecDepth = 32;
inline constexpr size_t kMaxSpecBytes = size_t{1} << 20U;

/// Bytes begin .. end-1 of the text.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;
};

/// Where a spec stands in a longer text, such as a plan file: errors show that text's line. The text must
/// outlive the call that is parsed.
struct SpecPlace {
  std::string_view text{};  ///< empty: the spec stands alone
  size_t offset = 0;
};

/// The text that a spec was parsed from, and how errors call it.
struct SpecText {
  std::string source;
  std::string text;
  SpecPlace inside{};
};

/// An InputError that already points into the spec; of a name that is none, with those that are some.
class SpecError : public ValueError {
 public:
  explicit SpecError(const InputError& error, RefusedValue value = {})
      : ValueError(error.what(), std::move(value)) {}
};

enum class ArgKind {
  kNumber,       ///< 8
  kPower,        ///< 2^4: the number 2, four times
  kPair,         ///< 14:2
  kCall,         ///< ring(4)
  kWord,         ///< constant
  kQuoted,       ///< "net.graphml"
  kTuple,        ///< [1,0]
  kPermutation,  ///< (0 1)(2 3), in cycles
};

struct Arg;

/// Arguments between two semicolons.
struct SpecSection {
  ByteRange where;
  std::vector<Arg> args;
};

struct SpecCall {
  std::string name;
  ByteRange name_where;
  ByteRange where;  ///< the whole call
  std::vector<SpecSection> sections;
  std::shared_ptr<const SpecText> text;

  /// An error that points at a part of the text.
  [[nodiscard]] SpecError error(ByteRange place, std::string_view message) const;
  /// What the text says there.
  [[nodiscard]] std::string_view quote(ByteRange place) const;
};

struct Arg {
  ArgKind kind = ArgKind::kNumber;
  ByteRange where;
  uint64_t number = 0;                        ///< kNumber; the base of kPower; the left of kPair
  uint64_t second = 0;                        ///< the exponent of kPower; the right of kPair
  std::string text;                           ///< kWord, kQuoted (without the quotes)
  std::vector<uint64_t> tuple;                ///< kTuple
  std::vector<std::vector<uint64_t>> cycles;  ///< kPermutation
  std::vector<SpecCall> call;                 ///< kCall: exactly one
};

/// The call that the whole text is. Throws SpecError.
[[nodiscard]] SpecCall parse_spec(std::string_view text, std::string_view source, SpecPlace inside = {});

}  // namespace quadrille
