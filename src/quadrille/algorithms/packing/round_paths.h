// Round paths: paths that share the work of links round by round, and not only in the end.
//
// Where hosts have one link each and hardly anything to spare, the order in which they send settles the rest: in round r each host
// sends to the one that is r places further, so that every host receives one block a round, and a block that starts in round r
// should take its h-th hop in step r + h. So every block gets the path whose links are the least asked for around that time: loads are
// counted by link and window of a few steps, and one block after another takes the cheapest way through them, twice or three times.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/packing/priced/priced_paths.h"

namespace quadrille {

/// Whether all endpoints are hosts with one link, to routers.
[[nodiscard]] bool are_hosts_of_one_link(const Topology& topology);

/// The blocks of `paths` in their order, on other paths; `round` has the round of each.
[[nodiscard]] PricedPaths spread_over_rounds(const Problem& problem, const PricedPaths& paths,
                                             const std::vector<uint32_t>& round, uint32_t window);

}  // namespace quadrille
