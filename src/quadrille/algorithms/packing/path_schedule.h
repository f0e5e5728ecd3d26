// Path schedule: when each block takes each hop of its path, in as few steps as can be found.
//
// List scheduling in several orders, of which the best result is kept: the block with most hops left first;
// links that serve the neighbour with most left to do and least waiting (virtual output queues); and forward
// and backward: the steps of the last try, read from the end, say which block is urgent (Li and Willis 1992,
// for projects). Among hosts of one link each the hosts' links are given first, and blocks find their ways in the windows
// between (timed/host_windows.h).
#pragma once

#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

/// The best of the orders alone, as they are.
[[nodiscard]] TimedPaths ordered_paths(const Problem& problem, const PricedPaths& paths);
[[nodiscard]] TimedPaths schedule_paths(const Problem& problem, const PricedPaths& paths);

}  // namespace quadrille
