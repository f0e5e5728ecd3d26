#include "quadrille/algorithms/catalog.h"

#include <algorithm>
#include <array>

namespace quadrille {
namespace {

constexpr std::array kCatalog = {
#define QUADRILLE_ALGORITHM(name) &algorithms::name,
#include "quadrille/algorithms/catalog.inc"
#undef QUADRILLE_ALGORITHM
};

}  // namespace

std::span<const Algorithm* const> algorithm_catalog() { return kCatalog; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto at =
      std::find_if(kCatalog.begin(), kCatalog.end(), [name](const Algorithm* a) { return a->name == name; });
  return at == kCatalog.end() ? nullptr : *at;
}

}  // namespace quadrille
