// Allreduce on small networks of any kind, in as few steps as a search finds.
//
// It begins with sums along a tree, and looks for plans of less steps, from the lower bound on; first for those that look alike
// from all sides.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/partial_sums/least_sums.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_search;

constinit const Algorithm allreduce_search = {
    .name = "allreduce_search",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "partial sums that go their own ways, found by an exact search; where it finds none, sums along a tree",
    .source = "ours",
    .remarks = "any network of up to 128 nodes, any ports, routers add up too; for one block",
    .is_asked_last = true,
    .applies = least_sums_apply,
    .prepare = by_search<least_sums, least_sums_predicted, push_least_sums>,
};

}  // namespace quadrille::algorithms
