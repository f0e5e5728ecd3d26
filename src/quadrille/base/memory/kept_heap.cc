#include "quadrille/base/memory/kept_heap.h"

#include <algorithm>
#include <cstdlib>  // which says whose library it is
#include <thread>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/resource.h>

#include "quadrille/base/memory/large_pages.h"

// Where a sanitizer has a malloc of its own, room that is set aside is only written to.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QUADRILLE_HAS_OTHER_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define QUADRILLE_HAS_OTHER_MALLOC 1
#endif
#endif
#ifndef QUADRILLE_HAS_OTHER_MALLOC
#define QUADRILLE_HAS_OTHER_MALLOC 0
#endif

namespace quadrille {
namespace {

constexpr int kMiBOfHeap = 1 << 20;
constexpr int kSetAside = 512 * kMiBOfHeap;  // more than a choice for a thousand nodes takes
constexpr int kMostMappings = 65536;         // what it is as long as nobody says anything

bool is_limited() {
  rlimit space{};
  rlimit data{};
  return getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur != RLIM_INFINITY ||
         getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur != RLIM_INFINITY;
}

// Addresses, and no memory before it is used: the heap grows once, so that the wish for large pages holds for all that will lie in it.
void set_room_aside() {
  mallopt(M_MMAP_MAX, 0);
  void* const room = std::malloc(kSetAside);
  mallopt(M_MMAP_MAX, kMostMappings);
  if (room == nullptr) return;
  prefer_large_pages(room, kSetAside);
  std::free(room);
}

}  // namespace

void keep_heap() {
  mallopt(M_MMAP_THRESHOLD, 32 * kMiBOfHeap);
  mallopt(M_TRIM_THRESHOLD, kSetAside + 256 * kMiBOfHeap);
  // Threads that share one heap wait for each other half of the time; but a further one takes addresses, and has small pages.
  const bool limited = is_limited();
  const unsigned heaps = limited ? 1 : std::clamp(std::thread::hardware_concurrency(), 2U, 8U);
  mallopt(M_ARENA_MAX, static_cast<int>(heaps));
  if (QUADRILLE_HAS_OTHER_MALLOC == 0 && !limited) set_room_aside();
}

}  // namespace quadrille
#else
namespace quadrille {

void keep_heap() {}

}  // namespace quadrille
#endif
