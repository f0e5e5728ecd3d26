// bit_count: how many bits of a word are set, for loops that do nothing else. Where nobody has said which processor it is,
// std::popcount is a call.
#pragma once

#include <cstdint>

namespace quadrille {

[[nodiscard]] constexpr uint64_t bit_count(uint64_t word) {
  word -= (word >> 1U) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
  return word * 0x0101010101010101U >> 56U;
}

}  // namespace quadrille
