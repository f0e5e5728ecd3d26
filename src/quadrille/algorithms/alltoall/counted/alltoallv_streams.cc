// Total exchange of large counts: blocks of a pair stream along a few paths, one behind another.
//
// A pair's count is dealt out to streams of equally many blocks. A stream is planned as one packet: paths that share the work
// (packing/priced_paths.h), steps, and then the whole timetable is repeated with the next block of each stream
// (packing/timed/repeated_paths.h). What does not fill a stream is dealt out to shorter ones, and so on, down to single blocks. So
// the work, and the memory, is that of the streams, and not that of the blocks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/paths_at_least.h"
#include "quadrille/algorithms/packing/priced_paths.h"
#include "quadrille/algorithms/packing/timed/repeated_paths.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/counts/stated_counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_streams;

namespace alltoallv_streams_parts {
namespace {

// Streams at once, of all pairs. More give loads a finer grain, and take longer to be planned; so many that one is less than
// prices tell apart (half of a per cent) do not share the work better.
constexpr uint64_t kFewestStreams = uint64_t{1} << 9U;
constexpr uint64_t kManyStreams = uint64_t{1} << 14U;
constexpr uint64_t kStreamsOfPair = 16;
constexpr uint64_t kFewestOfPair = 2;  // where there are many pairs
constexpr uint64_t kMostPairs = uint64_t{1} << 18U;
constexpr uint64_t kFewestBlocksOfStream =
    16;  // on average; of fewer each may as well have a path of its own

uint64_t streams_of(const Counts& counts) {
  const uint64_t pairs = counts.entries().size();
  return std::max(std::clamp(kStreamsOfPair * pairs, kFewestStreams, kManyStreams), kFewestOfPair * pairs);
}

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket) return Applicability::no("it is for packet switching");
  if (problem.model().packets == Packets::kMany) return Applicability::for_single_packets();
  const Counts& counts = *problem.collective().counts();
  const uint64_t fewest = kFewestBlocksOfStream * streams_of(counts);
  if (counts.moved() < fewest)
    return Applicability::no(
        fmt::format("it is for at least {} blocks of as many pairs as there are, {} has {}",
                    with_thousands(fewest), problem.title(), with_thousands(counts.moved())));
  if (counts.entries().size() <= kMostPairs) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every pair: at most {} of them, {} has {}",
                                       with_thousands(kMostPairs), problem.title(),
                                       with_thousands(counts.entries().size())));
}

// One part after another.
using Parts = std::vector<RepeatedPaths>;

// Dealt out to streams of so many blocks; `next` is the first block of each pair that has no stream yet, and `left` how many have.
RepeatedPaths streams(const Problem& problem, uint32_t length, std::vector<uint32_t>& next,
                      std::vector<uint32_t>& left) {
  const Counts& counts = *problem.collective().counts();
  std::vector<Counts::Entry> entries;
  std::vector<size_t> pairs;
  for (size_t e = 0; e < left.size(); ++e) {
    if (left[e] < length) continue;
    const Counts::Entry& whole = counts.entries()[e];
    entries.push_back({whole.from, whole.to, left[e] / length});
    pairs.push_back(e);
  }
  const Problem few =
      counted_problem(problem.topology(), Counts(counts.num_ranks(), std::move(entries)), problem.model());
  TimedPaths paths = ordered_paths(few, PricedPaths(few));
  const Counts& of_few = *few.collective().counts();
  for (BlockId& block : paths.blocks) {
    const auto first = std::ranges::upper_bound(pairs, index(block), {}, [&](const size_t& pair) {
      return of_few.first_block(static_cast<size_t>(&pair - pairs.data()));
    });
    const auto at = static_cast<size_t>(first - pairs.begin()) - 1;
    const auto n = static_cast<uint32_t>(index(block)) - of_few.first_block(at);
    block = BlockId{next[pairs[at]] + n * length};
  }
  for (const size_t pair : pairs) {
    next[pair] += left[pair] / length * length;
    left[pair] %= length;
  }
  return repeated(few, paths, length);
}

Parts parts_of(const Problem& problem) {
  count_work(Work::kSearching);
  // Of streams other bounds hold than of the whole, which has the same name.
  SearchWishes wishes = SearchLimits::now();
  wishes.of.clear();
  wishes.least = 0;
  wishes.found = {};
  const SearchLimits limits(wishes);
  const Counts& counts = *problem.collective().counts();
  std::vector<uint32_t> next;
  std::vector<uint32_t> left;
  uint64_t blocks = counts.moved();
  for (size_t e = 0; e < counts.entries().size(); ++e) {
    const Counts::Entry& entry = counts.entries()[e];
    next.push_back(counts.first_block(e));
    left.push_back(entry.from == entry.to ? 0 : entry.count);
  }
  Parts out;
  while (blocks > 0) {
    const auto length = static_cast<uint32_t>(std::max<uint64_t>(1, blocks / streams_of(counts)));
    out.push_back(streams(problem, length, next, left));
    blocks -= uint64_t{out.back().once.size()} * length;
  }
  return out;
}

Prediction predicted(const Problem& problem, Once<Parts>& made) {
  if (WorthMaking::is_limited() && !made.is_made() &&
      !WorthMaking::is_any_of_packets(paths_at_least(problem)))
    return {};
  uint64_t steps = 0;
  uint64_t start_ups = 0;
  for (const RepeatedPaths& part : made.get()) {
    steps += part.steps();
    start_ups += part.start_ups();
  }
  return {.steps = steps, .start_ups = start_ups};
}

void generate(const Problem& /*problem*/, const Parts& made, StepSink& sink) {
  for (const RepeatedPaths& part : made) part.generate(sink);
}

}  // namespace
}  // namespace alltoallv_streams_parts

constinit const Algorithm alltoallv_streams = {
    .name = "alltoallv_streams",
    .collective = CollectiveKind::kAlltoallv,
    .summary =
        "the blocks of a pair stream along a few paths, one behind another; the timetable of one block each is repeated",
    .source = "ours; modulo scheduling after Rau and Glaeser 1981, prices after Garg and Koenemann 2007",
    .remarks =
        "any graph, any capacities and ports; counts that are large on average; time to plan and memory are those of the pairs",
    .applies = alltoallv_streams_parts::applies,
    .prepare = by_search<alltoallv_streams_parts::parts_of, alltoallv_streams_parts::predicted,
                         alltoallv_streams_parts::generate>,
};

}  // namespace quadrille::algorithms
