#include "quadrille/algorithms/alltoall/counted/count_parts.h"

#include <algorithm>
#include <utility>

#include "quadrille/schedule/counts/stated_counts.h"

namespace quadrille {
namespace {

// More give loads a finer grain; so many that one is less than prices tell apart (half of a per cent) do not share the work better.
constexpr uint64_t kFewestStreams = uint64_t{1} << 9U;
constexpr uint64_t kManyStreams = uint64_t{1} << 14U;
constexpr uint64_t kStreamsOfPair = 16;
constexpr uint64_t kFewestOfPair = 2;  // where there are many pairs

// Streams of so many blocks; `next` is the first block of each pair that has no stream yet, and `left` how many have none.
CountPart part_of(const Problem& problem, uint32_t length, std::vector<uint32_t>& next,
                  std::vector<uint32_t>& left) {
  const Counts& counts = *problem.collective().counts();
  std::vector<Counts::Entry> entries;
  std::vector<BlockId> first;
  std::vector<uint32_t> pair;
  for (uint32_t e = 0; e < left.size(); ++e) {
    const uint32_t streams = left[e] / length;
    if (streams == 0) continue;
    const Counts::Entry& whole = counts.entries()[e];
    entries.push_back({whole.from, whole.to, streams});
    for (uint32_t s = 0; s < streams; ++s) first.push_back(BlockId{next[e] + s * length});
    pair.insert(pair.end(), streams, e);
    next[e] += streams * length;
    left[e] -= streams * length;
  }
  return {
      counted_problem(problem.topology(), Counts(counts.num_ranks(), std::move(entries)), problem.model()),
      std::move(first), std::move(pair), length};
}

}  // namespace

uint64_t streams_of(const Counts& counts) {
  const uint64_t pairs = counts.entries().size();
  return std::max(std::clamp(kStreamsOfPair * pairs, kFewestStreams, kManyStreams), kFewestOfPair * pairs);
}

std::vector<CountPart> count_parts(const Problem& problem) {
  const Counts& counts = *problem.collective().counts();
  std::vector<uint32_t> next;
  std::vector<uint32_t> left;
  for (size_t e = 0; e < counts.entries().size(); ++e) {
    const Counts::Entry& entry = counts.entries()[e];
    next.push_back(counts.first_block(e));
    left.push_back(entry.from == entry.to ? 0 : entry.count);
  }
  std::vector<CountPart> out;
  for (uint64_t blocks = counts.moved(); blocks > 0;) {
    const auto length = static_cast<uint32_t>(std::max<uint64_t>(1, blocks / streams_of(counts)));
    out.push_back(part_of(problem, length, next, left));
    blocks -= uint64_t{out.back().first.size()} * length;
  }
  return out;
}

SearchWishes wishes_of_streams() {
  SearchWishes wishes = SearchLimits::now();
  wishes.of.clear();
  wishes.least = 0;
  wishes.found = {};
  wishes.paths_found = {};
  return wishes;
}

}  // namespace quadrille
