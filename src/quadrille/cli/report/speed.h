// How long a run took, and how fast it was, in words.
#pragma once

#include <cstdint>
#include <string>

namespace quadrille {

/// "19.87 ms, 1.6 GiB/s", "1.20 s for 10 runs, 640.0 MiB/s"; the bytes are those of all runs.
[[nodiscard]] std::string speed_text(double seconds, uint32_t runs, double bytes);

}  // namespace quadrille
