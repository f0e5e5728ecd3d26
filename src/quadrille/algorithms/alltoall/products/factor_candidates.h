// Who may make the total exchange of a factor of a product, with all ports.
#pragma once

#include <span>

#include "quadrille/algorithms/products/factor_exchange.h"

namespace quadrille {

/// Every card for packets on graphs without routers, by name. Products of products are among them.
[[nodiscard]] std::span<const FactorCandidate> factor_candidates();

}  // namespace quadrille
