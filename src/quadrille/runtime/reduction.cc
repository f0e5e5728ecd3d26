#include "quadrille/runtime/reduction.h"

#include <cstdint>
#include <cstring>

namespace quadrille {
namespace {

void add_bytes(std::byte* into, const std::byte* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    into[i] = static_cast<std::byte>(std::to_integer<unsigned>(into[i]) + std::to_integer<unsigned>(from[i]));
  }
}

// Blocks need not be aligned, so words are copied out and in; compilers make plain loads of it.
void add_words(std::byte* into, const std::byte* from, size_t bytes) {
  for (size_t i = 0; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
    uint64_t a = 0;
    uint64_t b = 0;
    std::memcpy(&a, into + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a += b;
    std::memcpy(into + i, &a, sizeof a);
  }
}

}  // namespace

constinit const Reduction kSumBytes{"sum_bytes", 1, add_bytes, nullptr};
constinit const Reduction kSumWords{"sum_words", sizeof(uint64_t), add_words, nullptr};

}  // namespace quadrille
