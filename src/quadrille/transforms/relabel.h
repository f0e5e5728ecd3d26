// Relabel: a plan carried along by a symmetry of the topology.
//
// Every node v is replaced by image[v], every arc by the arc between the images, and every block by the block
// of the images of its ranks. On a ring, image[v] = v+1 turns a broadcast from node 0 into one from node 1.
//
// The image may lie on another topology that is the same network, numbered differently
// (topology/queries/isomorphism.h).
//
// Refused: a mapping that is no permutation, or that takes a link to where there is none.
#pragma once

#include <span>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem with its root, if it has one, at the image of the root.
[[nodiscard]] Problem relabelled(const Problem& problem, std::span<const NodeId> image);
[[nodiscard]] Problem relabelled(const Problem& problem, std::span<const NodeId> image, const Topology& onto);

/// The plan for relabelled(problem, image). `image` has one node per node; throws InputError when it is not
/// a symmetry of the endpoints and of the arcs that the plan uses.
[[nodiscard]] Plan relabel(const Problem& problem, const Plan& plan, std::span<const NodeId> image);
[[nodiscard]] Plan relabel(const Problem& problem, const Plan& plan, std::span<const NodeId> image,
                           const Topology& onto);

}  // namespace quadrille
