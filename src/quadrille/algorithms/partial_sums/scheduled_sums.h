// Scheduled sums: an allreduce of one block where it is known who sends to whom in which step, and what is to be said is looked
// for.
//
// Messages by which everybody hears from everybody (search/informed_trials.h) are found in a moment, and for one in two of
// them there are sums that tell each node of each rank exactly once: where ports are few most of what can be heard has to
// be. So this finds in a millisecond what a formula that knows of no messages (sum_search.h) finds in hundreds.
//
// Of every message it keeps the ranks that may be in it and those that must. From what must be follows what may not: a rank
// comes to a node once, and a part of a message goes on with all of it or not at all. Where nothing follows any more, one of the
// messages that may bring a rank to a node is tried, and then the next.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/base/random.h"
#include "quadrille/search/informed_trials.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// What may be spent.
struct ScheduledSumsBudget {
  uint32_t choices = 200;  ///< on one set of messages
  uint64_t looks =
      uint64_t{1} << 22U;  ///< at messages and their parts, on all of them: some 2 ns each; what is left
};

/// Sums that go with these messages, of which some may be left out; nothing where there are none, or none was found. Of at most
/// InformedTrials::kMostRanks ranks.
[[nodiscard]] std::optional<SumPlan> scheduled_sums(const Topology& topology, const MessagesOfSteps& messages,
                                                    ScheduledSumsBudget& budget, Rng& rng);

}  // namespace quadrille
