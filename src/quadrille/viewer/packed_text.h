// Bytes as text that a page carries: gzip, which browsers undo by themselves, in base64.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// A gzip file without a time or a name: the same bytes for the same content. Throws InputError for more than 4 GiB.
[[nodiscard]] std::string gzip(std::string_view content);

/// RFC 4648, padded, in one line.
[[nodiscard]] std::string base64(std::string_view content);

}  // namespace quadrille
