// Worm messages: a plan of worms as the steps of a collective.
//
// Along a plan that informs everybody what the root knows, a broadcast copies the block with every worm, and
// a scatter sends with each worm the blocks of all places that hear through it. Backwards the same worms are
// a gather. An allgather is a gather to a node in the middle and a broadcast from it, in which nobody gets a
// block twice.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_plan.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// The node that a plan is about: the root of the collective or, where it has none, the middle of the grid.
[[nodiscard]] NodeId hub_of(const Problem& problem, const WormGrid& grid);
/// Where that is in the coordinates of plans: 0 in circular dimensions.
[[nodiscard]] std::vector<uint32_t> root_position(const Problem& problem, const WormGrid& grid);
/// The same without looking at every node, also of an outline; the collective has a root there.
[[nodiscard]] std::vector<uint32_t> root_position(const Problem& problem);
[[nodiscard]] uint32_t root_place(const Problem& problem, const WormGrid& grid);

/// What a plan without repeats will measure as a broadcast, a scatter or a gather.
[[nodiscard]] Prediction prediction_of(const Problem& problem, const WormGrid& grid, const WormPlan& plan);
/// A plan without repeats as a broadcast, a scatter or a gather. A gather runs backwards: for dimension order
/// the worms of its plan must correct their coordinates last to first.
void send_worms(const Problem& problem, const WormGrid& grid, const WormPlan& plan, StepSink& sink);

/// The same for an allgather: `gather` backwards to the hub, `broadcast` from it.
[[nodiscard]] Prediction prediction_of(const Problem& problem, const WormGrid& grid, const WormPlan& gather,
                                       const WormPlan& broadcast);
void send_worms(const Problem& problem, const WormGrid& grid, const WormPlan& gather,
                const WormPlan& broadcast, StepSink& sink);

/// Whether anybody wants an allgather that takes at least as long as one of these does (graphs/worth_making.h).
[[nodiscard]] bool is_worth_gathering(const Problem& problem, const WormGrid& grid);

/// Wormhole switching, links that carry both ways at once, and as many ports as links.
[[nodiscard]] Applicability all_port_worms(const Problem& problem);
/// And a torus or a mesh, in which every node takes part.
[[nodiscard]] Applicability all_port_worm_grid(const Problem& problem);
/// Wormhole switching and a torus or a mesh, in which every node takes part.
[[nodiscard]] Applicability worm_grid(const Problem& problem);
/// And too few ports, or links that carry one way at a time, for those who need all of them; `all_ports` is
/// the card that serves then.
[[nodiscard]] Applicability few_port_worm_grid(const Problem& problem, std::string_view all_ports);

}  // namespace quadrille
