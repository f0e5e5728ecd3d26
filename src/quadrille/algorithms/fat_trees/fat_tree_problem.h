// What most fat-tree cards ask of a problem.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille {

/// A fat tree, packet switching, both directions of a link at once, blocks in one piece.
[[nodiscard]] Applicability fits_fat_tree(const Problem& problem);

/// A fat tree like that, and any number of send and receive ports.
[[nodiscard]] Applicability fits_multiport_fat_tree(const Problem& problem);

/// A fat tree like that, and one send port: every node, router or leaf, sends at most one message a step.
[[nodiscard]] Applicability fits_one_send_fat_tree(const Problem& problem);

}  // namespace quadrille
