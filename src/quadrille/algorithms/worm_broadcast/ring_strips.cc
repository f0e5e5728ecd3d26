#include "quadrille/algorithms/worm_broadcast/ring_strips.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// Cuts one strip; the parts that are given away follow in `parts`.
void cut(uint32_t k, const Strip& strip, int64_t width, std::vector<Strip>& parts,
         std::vector<StripSend>& sends) {
  const int64_t half = (width - 1) / 2;
  for (uint32_t rank = 1; rank <= k; ++rank) {
    for (const int64_t sign : {1, -1}) {
      const int64_t middle = strip.position + sign * int64_t{rank} * width;
      const int64_t first = std::max(middle - half, strip.first);
      const int64_t last = std::min(middle + half, strip.last);
      if (first > last) continue;
      const int64_t to = std::clamp(middle, first, last);
      parts.push_back({to, first, last});
      sends.push_back({strip.position, to, rank});
    }
  }
  parts.push_back({strip.position, std::max(strip.position - half, strip.first),
                   std::min(strip.position + half, strip.last)});
}

}  // namespace

uint32_t steps_to_reach(uint64_t base, uint64_t count) {
  uint32_t steps = 0;
  for (uint64_t reached = 1; reached < count; reached *= base) ++steps;
  return steps;
}

std::vector<std::vector<StripSend>> ring_strips(uint32_t k, std::vector<Strip> strips, uint32_t steps) {
  int64_t width = 1;
  for (uint32_t s = 0; s < steps; ++s) width *= 2 * int64_t{k} + 1;
  for (const Strip& strip : strips) {
    QUADRILLE_CHECK(std::max(strip.position - strip.first, strip.last - strip.position) <= (width - 1) / 2,
                    fmt::format("{} in {}..{} in {} steps", strip.position, strip.first, strip.last, steps));
  }
  std::vector<std::vector<StripSend>> out(steps);
  for (std::vector<StripSend>& sends : out) {
    width /= 2 * int64_t{k} + 1;
    std::vector<Strip> parts;
    for (const Strip& strip : strips) cut(k, strip, width, parts, sends);
    strips = std::move(parts);
  }
  return out;
}

}  // namespace quadrille
