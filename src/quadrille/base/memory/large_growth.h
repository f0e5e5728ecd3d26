// Large growth: room for a list that nobody knows the length of, and that may become very large.
//
//     make_room(list, items.size());
//     list.insert(list.end(), items.begin(), items.end());
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "quadrille/base/memory/large_pages.h"

namespace quadrille {

/// Room for so many items more. What is not used yet takes addresses, not memory: most lists that grow large have their room at once,
/// in large pages, and little is copied.
template <typename T>
void make_room(std::vector<T>& in, size_t items) {
  constexpr size_t kLarge = size_t{4} << 20U;  // bytes
  constexpr size_t kGrowth = 16;
  const size_t needed = in.size() + items;
  if (needed <= in.capacity() || needed * sizeof(T) < kLarge) return;
  std::vector<T> larger;
  for (size_t growth = kGrowth; growth > 1 && larger.capacity() < needed; growth /= 2) {
    try {
      larger.reserve(std::max(needed, growth * in.capacity()));
    } catch (const std::bad_alloc&) {
      continue;  // half of that may still be there
    }
  }
  if (larger.capacity() < needed) return;
  prefer_large_pages(larger.data(), larger.capacity() * sizeof(T));
  larger.assign(in.begin(), in.end());
  in.swap(larger);
}

}  // namespace quadrille
