// Algorithm A1 as a node does it; see algorithms/products/algorithm_a1.h.
#pragma once

#include <memory>

#include "quadrille/algorithms/products/algorithm_a1.h"
#include "quadrille/local/local_node.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A node that knows the paths of every factor but the first, as far as they lead through its place there,
/// and its part of the exchange of the first.
[[nodiscard]] std::unique_ptr<LocalNode> product_a1_node(const Problem& problem, NodeId self,
                                                         CopiesOfB copies);

}  // namespace quadrille
