// Total exchange of large counts: blocks of a pair stream along a few paths, one behind another.
//
// A pair's count is dealt out to streams of equally many blocks (count_parts.h). A stream is planned as one packet: paths that share
// the work (packing/priced/priced_paths.h), steps, and then the whole timetable is repeated with the next block of each stream
// (packing/timed/repeated_paths.h). So the work, and the memory, is that of the streams, and not that of the blocks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/counted/count_parts.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/path_schedule.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/packing/timed/repeated_paths.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_streams;

namespace alltoallv_streams_parts {
namespace {

constexpr uint64_t kMostPairs = uint64_t{1} << 18U;
constexpr uint64_t kFewestBlocksOfStream =
    16;  // on average; of fewer each may as well have a path of its own

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

Parts parts_of(const Problem& problem) {
  count_work(Work::kSearching);
  const SearchLimits limits(wishes_of_streams());
  Parts out;
  for (const CountPart& part : count_parts(problem)) {
    TimedPaths paths = ordered_paths(part.few, PricedPaths(part.few));
    for (BlockId& block : paths.blocks) block = part.first[index(block)];
    out.push_back(repeated(part.few, paths, part.length));
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
