// Which program this is.
#pragma once

#include <string>

namespace quadrille {

/// "quadrille 0.1.0 (commit 1a2b3c4d5e)"; without the commit where it was not built in a checkout.
[[nodiscard]] std::string version_text();

}  // namespace quadrille
