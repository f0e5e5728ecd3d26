// What a plan looks like: the scenes and diagrams of its steps, its loads, what bounds it and what is wrong with it.
//
//     const NetworkLayout layout = layout_of(schedule.problem().topology());
//     StepRecord record(schedule.problem());
//     schedule.plan().replay(record);
//     network_svg(step_scene(record, layout, 2))         // the third step
//     network_svg(load_scene(record, layout))            // all of them together
//     space_time_svg(space_time_of(record, layout))
//
// A plan that was rejected is drawn, too: findings are pointed out at their step and link.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/draw/network_picture.h"
#include "quadrille/draw/space_time.h"
#include "quadrille/draw/step_record.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/verify/finding.h"

namespace quadrille {

/// A step that the record keeps, counted from 0. Throws InputError for another.
[[nodiscard]] NetworkScene step_scene(const StepRecord& record, const NetworkLayout& layout, uint64_t step);
/// What there is to see of a plan without steps.
[[nodiscard]] NetworkScene scene_at_rest(const Problem& problem, const NetworkLayout& layout);
/// Blocks over each link, for a unit of its capacity, in the steps that the record keeps.
[[nodiscard]] NetworkScene load_scene(const StepRecord& record, const NetworkLayout& layout);
[[nodiscard]] LoadHistogram load_histogram_of(const StepRecord& record);
[[nodiscard]] SpaceTime space_time_of(const StepRecord& record, const NetworkLayout& layout);

/// The cut, the node or the weights that prove a bound; of a proof that is no place in the network (a refutation, a cut through
/// nodes and steps, or of dimensions) the network alone.
[[nodiscard]] NetworkScene witness_scene(const Topology& topology, const NetworkLayout& layout,
                                         const BoundWitness& witness);

/// Links and nodes of the findings of that step; kAtEnd: of what is found at the end. The first sentence becomes the note.
void point_out(std::span<const Finding> findings, uint64_t step, NetworkScene& scene);
void point_out(std::span<const Finding> findings, const StepRecord& record, const LinkRows& rows,
               SpaceTime& diagram);

}  // namespace quadrille
