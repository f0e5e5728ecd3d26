// The files of data/, as they were when the library was built.
//
// The build turns every text file below data/ into a literal (cmake/embed_data.cmake), so that a program
// needs no file at run time and an installed library none beside it. Nothing is read before somebody asks.
#pragma once

#include <span>
#include <string_view>

namespace quadrille {

struct EmbeddedFile {
  std::string_view path{};  ///< from the top of the source tree: "data/worm_broadcasts/torus_4x4.txt"
  std::string_view text{};
};

/// All of them, by rising path.
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace quadrille
