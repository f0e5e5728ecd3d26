#include "quadrille/compile/sizes/next_in_words.h"

#include <fmt/format.h>

namespace quadrille {

std::string next_in_words(std::string_view name, double ratio) {
  return ratio < 1.0005 ? fmt::format("as fast: {}", name)
                        : fmt::format("next: {}, {:.4g} times as long", name, ratio);
}

}  // namespace quadrille
