// Count parts: large counts of an exchange as a few small ones, of streams of equally many blocks each.
//
// A pair's count is dealt out to streams of so many blocks; what does not fill one to shorter streams, and so on, down to single
// blocks. Whoever plans streams as if each were a block has the work of the streams, and not that of the blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/search_limits.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct CountPart {
  Problem few;                 ///< a block for each stream
  std::vector<BlockId> first;  ///< of each stream, as the whole problem numbers its blocks
  std::vector<uint32_t> pair;  ///< of each stream, among the entries of the whole problem's counts
  uint32_t length = 1;         ///< blocks of each; they follow each other
};

/// Streams at once, of all pairs, that share the work as evenly as prices can tell; more take longer to be planned.
[[nodiscard]] uint64_t streams_of(const Counts& counts);

/// Those whose streams are longest first. Together they have all blocks that move.
[[nodiscard]] std::vector<CountPart> count_parts(const Problem& problem);

/// Of streams other bounds hold than of the whole, which has the same name: what counts now, without these.
[[nodiscard]] SearchWishes wishes_of_streams();

}  // namespace quadrille
