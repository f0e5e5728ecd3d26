// Count parts: large counts of an exchange as a few small ones, of streams of equally many blocks each.
//
// A pair's count is dealt out to streams of so many blocks; what does not fill one to shorter streams, and so on, down to single
// blocks. Whoever plans streams as if each were a block has the work of the streams, and not that of the blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/collective/counts.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

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

/// What goes over each link in a step, as one message, or one for each of its lanes.
class BlocksByArc {
 public:
  explicit BlocksByArc(const Problem& problem) : problem_(problem), of_(problem.topology().num_arcs()) {}

  /// So many that follow each other.
  void add(ArcId arc, BlockId first, uint64_t count);
  /// And forgets them.
  void send(StepBuilder& step);

 private:
  const Problem& problem_;
  std::vector<std::vector<BlockId>> of_;
  std::vector<ArcId> used_;
};

}  // namespace quadrille
