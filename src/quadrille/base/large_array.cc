#include "quadrille/base/large_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace quadrille {
namespace {

constexpr size_t kHugePage = size_t{2} << 20U;

}  // namespace

void* allocate_large(size_t bytes) {
  if (bytes == 0) return nullptr;
  const bool huge = bytes >= kHugePage;
  const size_t unit = huge ? kHugePage : size_t{64};
  if (bytes > SIZE_MAX - unit) throw std::bad_alloc();
  const size_t rounded = (bytes + unit - 1) / unit * unit;
  void* memory = std::aligned_alloc(unit, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  // A wish: without huge pages everything works, only slower.
  if (huge) (void)::madvise(memory, rounded, MADV_HUGEPAGE);
  std::memset(memory, 0, rounded);
  return memory;
}

void free_large(void* memory) { std::free(memory); }

}  // namespace quadrille
