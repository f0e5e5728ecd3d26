#include "quadrille/cost/square_torus_broadcasts.h"

#include <vector>

#include "quadrille/cost/equal_rings.h"

namespace quadrille::square_torus_broadcasts {

std::optional<uint64_t> tsai_mckinley(std::span<const uint64_t> sides) {
  if (sides.size() != 2 && sides.size() != 3) return std::nullopt;
  if (sides[0] != sides[1] || sides[0] < 4) return std::nullopt;
  const std::optional<uint64_t> d = exact_log(2, sides[0]);
  if (!d || sides.size() == 2) return d;
  if (sides[2] <= 7) return *d + 1;
  uint64_t m = 0;
  for (uint64_t reach = uint64_t{7} * 6; reach < sides[2]; reach *= 6) ++m;
  return *d + m + 2;
}

std::optional<uint64_t> tsai_mckinley(uint64_t k, uint64_t n) {
  return tsai_mckinley(std::vector<uint64_t>(k, n));
}

std::optional<uint64_t> park(uint64_t k, uint64_t n) {
  const std::optional<uint64_t> p = exact_log(2 * k + 1, n);
  return p ? std::optional<uint64_t>(k * *p) : std::nullopt;
}

std::optional<uint64_t> peters_syska(uint64_t k, uint64_t n) {
  if (k != 2) return std::nullopt;
  if (const std::optional<uint64_t> p = exact_log(5, n)) return 2 * *p;
  const std::optional<uint64_t> p = n % 2 == 0 ? exact_log(5, n / 2) : std::nullopt;
  return p ? std::optional<uint64_t>(2 * *p + 1) : std::nullopt;
}

std::optional<uint64_t> tsay_wang(uint64_t k, uint64_t n) {
  if (n < 3) return std::nullopt;
  const uint64_t base = 2 * k + 1;
  if (n % 2 != 0) return k * ceil_log(base, n) + 1;
  return k * ceil_log(base, n - 1) + (k + 1) / 2 + 1;
}

}  // namespace quadrille::square_torus_broadcasts
