// How many edges a DOT file has, before it is read: {a b c} -- {d e f} is nine of them, and a file of a few
// kilobytes can mean billions.
#pragma once

#include <cstdint>
#include <string_view>

namespace quadrille {

/// The edges of a text in DOT, each as often as it is stated. Of a text that is not DOT, some number: the
/// reader says what is wrong with it. Braces must not be nested deeper than a stack bears.
[[nodiscard]] uint64_t stated_dot_edges(std::string_view text);

}  // namespace quadrille
