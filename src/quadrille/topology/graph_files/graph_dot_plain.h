// DOT in few words: what programs and people write, as the reader of Boost.Graph understands it.
//
//     plain_dot("net.dot", "digraph { a -> {b c}  // two\n}")    // "digraph { a -> subgraph {b c}  }"
//
// Braces that open an anonymous subgraph get its word, comments become blanks, and HTML labels quoted texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

/// Throws InputError with line and column: for a text, a label or a comment that does not end, and for braces that are
/// nested more deeply than a recursive reader may go.
[[nodiscard]] std::string plain_dot(const std::string& source, std::string_view text);

/// The words and marks of such a text, where they stand in it. Throws as above.
[[nodiscard]] std::vector<std::string_view> dot_tokens(const std::string& source, std::string_view text);

}  // namespace quadrille
