#include "quadrille/compile/sizes/next_in_words.h"

#include <fmt/format.h>

#include <cmath>

namespace quadrille {

std::string next_in_words(std::string_view name, double ratio) {
  // Where nothing has to move both take no time.
  if (std::isnan(ratio) || ratio < 1.0005) return fmt::format("as fast: {}", name);
  if (std::isinf(ratio)) return fmt::format("next: {}", name);
  return fmt::format("next: {}, {:.4g} times as long", name, ratio);
}

}  // namespace quadrille
