// Where the files of the source tree are that tests read.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// The path of a file or folder of the source tree ("testdata/graphs"). Where the tree lies is known to one object file
/// alone, so that two checkouts share all others in a compiler cache.
[[nodiscard]] std::string source_path(std::string_view below);

}  // namespace quadrille
