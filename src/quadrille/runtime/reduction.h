// Reduction: how two blocks become one, byte range by byte range.
//
// A reduction must be associative. Where it does not commute, it is for plans that combine ranks in order (an operator
// that is ordered, model/model.h): their programs say on which side what comes belongs. Blocks hold whole elements: their
// size is a multiple of element_bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace quadrille {

struct Reduction {
  std::string_view name{};
  size_t element_bytes = 1;
  /// into[i] = into[i] + from[i] for a whole number of elements; the ranges do not overlap.
  void (*apply)(std::byte* into, const std::byte* from, size_t bytes) = nullptr;
  /// into[i] = from[i] + into[i]; null where that is the same.
  void (*apply_before)(std::byte* into, const std::byte* from, size_t bytes) = nullptr;
};

/// Addition modulo 2^8 of every byte: fits blocks of any size, and shows what was added twice.
extern const Reduction kSumBytes;
/// Addition modulo 2^64 of eight-byte words in the machine's byte order.
extern const Reduction kSumWords;

}  // namespace quadrille
