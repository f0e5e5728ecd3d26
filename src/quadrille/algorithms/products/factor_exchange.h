// The total exchange of one factor with all ports, as products of it need: the best plan that the catalog
// has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// A total exchange of blocks in that many pieces. The claimed card with the fewest steps makes it; where no
/// card is known to be optimal, a greedy plan is made too, and the shorter one wins.
[[nodiscard]] Plan factor_exchange(const Topology& factor, uint32_t pieces = 1);

/// The same for each factor; equal factors with equal numbers of pieces share their plan.
[[nodiscard]] std::vector<std::shared_ptr<const Plan>> factor_exchanges(const std::vector<Topology>& factors,
                                                                        const std::vector<uint32_t>& pieces);

/// The most transfers over one arc of the factor.
[[nodiscard]] uint64_t busiest_link(const Plan& plan, const Topology& factor);

}  // namespace quadrille
