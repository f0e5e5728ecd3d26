// How reasons name a second best.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// It takes `ratio` times as long: "as fast: NAME", "next: NAME, 1.2 times as long"; a ratio that is printed as 1 is none.
[[nodiscard]] std::string next_in_words(std::string_view name, double ratio);

}  // namespace quadrille
