// Large pages: memory that is about to be filled from one end to the other comes from the system in pieces of megabytes, where it
// has such, and not four thousand bytes at a time. Of a plan of ten million transfers that was a tenth of the time.
#pragma once

#include <cstddef>

namespace quadrille {

/// A wish: nothing changes where the system cannot. The memory must be the caller's and may be in use.
void prefer_large_pages(void* from, size_t bytes);

}  // namespace quadrille
