#include "quadrille/base/memory/large_pages.h"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace quadrille {

void prefer_large_pages([[maybe_unused]] void* from, [[maybe_unused]] size_t bytes) {
#ifdef __linux__
  constexpr uintptr_t kPage = 4096;  // the advice wants whole pages
  const auto begin = (reinterpret_cast<uintptr_t>(from) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<uintptr_t>(from) + bytes) / kPage * kPage;
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace quadrille
