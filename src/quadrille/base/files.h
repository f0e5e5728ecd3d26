// Files, read whole and written so that nothing is ever half-written.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// The whole file; throws InputError naming the path when it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);

/// Writes beside the name and renames, so that the path holds either the old file or the whole new one.
/// Throws InputError naming the path.
void write_file(const std::string& path, std::string_view content);

}  // namespace quadrille
