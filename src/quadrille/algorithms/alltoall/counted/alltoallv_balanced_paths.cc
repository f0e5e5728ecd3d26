// Total exchange of unequal counts on any graph: paths that share the work of links and ports, then the steps.
//
// Every block is a packet with a path of its own, whatever their number: where one node is wanted by all, blocks leave
// the shortest paths far behind (packing/priced/priced_paths.h). How it is done is alltoall_balanced_paths's; the blocks of
// a source are priced together, so that memory is that of the blocks and not of the pairs.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/packing/balanced_timetable.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_balanced_paths;

namespace alltoallv_balanced_paths_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 24U;
// With few ports every step is a matching.
constexpr uint64_t kMostBlocksOfPorts = uint64_t{1} << 18U;
// Of few pairs: what alltoallv_streams needs no path of its own for, and does within as much as nothing of the same steps.
constexpr uint64_t kManyOfPair = 64;
constexpr uint64_t kMostBlocksOfFewPairs = uint64_t{1} << 16U;

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kPacket) return Applicability::no("it is for packet switching");
  const bool all_ports = problem.model().send.unlimited() && problem.model().receive.unlimited();
  const uint64_t blocks = problem.collective().num_blocks();
  const bool few_pairs = blocks >= kManyOfPair * problem.collective().counts()->entries().size();
  const uint64_t most = few_pairs ? kMostBlocksOfFewPairs : all_ports ? kMostBlocks : kMostBlocksOfPorts;
  if (blocks <= most) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} of {}, {} has {}",
                                       with_thousands(most), few_pairs ? "few pairs" : "them",
                                       problem.title(), with_thousands(blocks)));
}

}  // namespace
}  // namespace alltoallv_balanced_paths_parts

constinit const Algorithm alltoallv_balanced_paths = {
    .name = "alltoallv_balanced_paths",
    .collective = CollectiveKind::kAlltoallv,
    .summary =
        "paths that share the work of all links and ports, packed into steps in the best of several orders",
    .source = "ours; prices after Garg and Koenemann 2007",
    .remarks = "any graph, any counts, any capacities and ports; mostly within a few per cent of the bound",
    .applies = alltoallv_balanced_paths_parts::applies,
    .prepare = on_balanced_paths,
};

}  // namespace quadrille::algorithms
