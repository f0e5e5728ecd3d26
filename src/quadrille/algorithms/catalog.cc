#include <array>

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

namespace algorithms {
#define QUADRILLE_ALGORITHM(name) extern const Algorithm name;
#include "quadrille/algorithms/catalog.inc"
#undef QUADRILLE_ALGORITHM
}  // namespace algorithms

namespace {

constexpr std::array kCards = {
#define QUADRILLE_ALGORITHM(name) &algorithms::name,
#include "quadrille/algorithms/catalog.inc"
#undef QUADRILLE_ALGORITHM
};

}  // namespace

const Catalog<Algorithm>& algorithm_catalog() {
  static constexpr Catalog<Algorithm> kCatalog(kCards);
  return kCatalog;
}

}  // namespace quadrille
