// Words of comma-separated files.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// As it may stand between two commas: quoted where it has to be (RFC 4180).
[[nodiscard]] std::string csv_word(std::string_view text);

}  // namespace quadrille
