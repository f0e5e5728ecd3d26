// Matched packets: personalised blocks along given paths, one matching of senders and receivers a step.
//
// With one port a step is a matching: every node sends to one neighbour at most, and receives from one. A node
// that has as many blocks left to send, or to receive, as there are steps left must not pause. So senders are
// matched in the order of what they still have to send, each by an augmenting path, and then receivers
// likewise, of which a busier one may take the place of another without any sender losing its turn
// (Mendelsohn and Dulmage 1958). Which block goes over a link is decided by a rule: one that has far to go, or
// one that the next node has been waiting for.
//
// No rule is the best everywhere: several are tried, and the shortest plan is kept.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/packing/spread_routes.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A plan for a total exchange over these routes, with one port on either side and, if the model says so, half
/// duplex links. Pieces follow their block, one by one.
[[nodiscard]] Plan matched_packets(const Problem& problem, const SpreadRoutes& routes);

}  // namespace quadrille
