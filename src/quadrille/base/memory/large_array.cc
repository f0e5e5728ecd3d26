#include "quadrille/base/memory/large_array.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

constexpr size_t kHugePage = size_t{2} << 20U;

size_t rounded_up(size_t bytes, size_t unit) {
  if (bytes > SIZE_MAX - unit) throw MemoryRefused(bytes);
  return (bytes + unit - 1) / unit * unit;
}

bool is_mapped(size_t bytes) { return bytes >= kHugePage; }

}  // namespace

void* allocate_large(size_t bytes, Pages pages) {
  if (bytes == 0) return nullptr;
  if (!is_mapped(bytes)) {
    const size_t rounded = rounded_up(bytes, 64);
    void* memory = std::aligned_alloc(64, rounded);
    if (memory == nullptr) throw MemoryRefused(bytes);
    return std::memset(memory, 0, rounded);
  }
  // A huge page begins at a multiple of its size: one more than needed is mapped, and what is over given
  // back.
  const size_t rounded = rounded_up(bytes, kHugePage);
  const size_t with_more = rounded_up(rounded + 1, kHugePage);
  void* memory = mmap(nullptr, with_more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw MemoryRefused(bytes);
  auto* const begin = static_cast<std::byte*>(memory);
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before > 0) static_cast<void>(munmap(begin, before));
  if (before < kHugePage) static_cast<void>(munmap(begin + before + rounded, kHugePage - before));
  // Wishes: without them everything works, only slower or larger.
  const int wish = pages == Pages::kHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
  static_cast<void>(madvise(begin + before, rounded, wish));
  return begin + before;
}

void free_large(void* memory, size_t bytes) {
  if (memory == nullptr) return;
  if (is_mapped(bytes)) {
    static_cast<void>(munmap(memory, rounded_up(bytes, kHugePage)));
  } else {
    std::free(memory);
  }
}

}  // namespace quadrille
