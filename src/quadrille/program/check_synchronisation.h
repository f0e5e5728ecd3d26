// The judge of a stated synchronisation: do its barriers and signals keep all steps of a schedule apart?
//
// Follows, step by step, what every node knows when it starts: through which step each other node is. It
// learns that from those who send to it, from signals and from barriers. Two transfers of different steps
// that use one link (either direction of it in half duplex), or that end in one node whose receive ports are
// limited, must then be in order: the sender of the later one knows that one end of the earlier one is
// through. Where priorities are stated it is enough that the later one gives way: that the earlier one is more
// urgent, and pushes it aside where they meet. A link counts as one whatever its capacity, and so do a node's receive ports. Shares nothing with
// synchronise(), which works from the last step to the first.
//
//     const SynchronisationCheck check = check_synchronisation(schedule, stated, {});
//     if (!check.passed()) print(check.findings);   // each names a signal that is missing
//
// On small schedules every order in which transfers can start and end is played, too (interleavings.h): a
// second opinion that knows nothing of who knows what.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/verify/finding.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

struct CheckSynchronisationOptions {
  size_t max_findings = 20;          ///< how many are kept; the others are counted
  uint64_t most_known = 1U << 26U;   ///< of what nodes know of nodes: 8,192 nodes
  uint64_t most_states = 1U << 18U;  ///< of interleavings; where there are more, none is played
};

struct SynchronisationCheck {
  /// Pairs of transfers of different steps that follow each other on a link or at a port.
  uint64_t conflicts = 0;
  /// One for each signal that is missing, in order of step and transfer.
  std::vector<Finding> findings{};
  uint64_t total_findings = 0;
  /// How many states the interleavings have, if all were played.
  std::optional<uint64_t> states{};

  [[nodiscard]] bool passed() const { return total_findings == 0; }
};

/// `stated` must make sense (find_mistake()). Throws InputError for a schedule of too many nodes, or too many
/// signals that are on their way at once: what each node and signal knows of each node is kept.
[[nodiscard]] SynchronisationCheck check_synchronisation(const Schedule& schedule,
                                                         const PlanSynchronisation& stated,
                                                         const CheckSynchronisationOptions& options);

}  // namespace quadrille
