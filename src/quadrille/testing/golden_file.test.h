// Texts that are kept as files and must not change unseen.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// Whether a text is what a golden file holds: "" or what is wrong. Of another text, or where there is no such file,
/// PATH.new holds it afterwards, and the answer names both files and the first line that differs. With `update` the file
/// is written instead.
[[nodiscard]] std::string compare_with_golden(const std::string& path, std::string_view text,
                                              bool update = false);

/// Fails the test unless the text is that of a file of the source tree ("testdata/net.txt"). With QUADRILLE_UPDATE_GOLDEN=1
/// in the environment the file is written instead.
void expect_golden(std::string_view path, std::string_view text);

}  // namespace quadrille
