#include "quadrille/cost/power_of_two_tori.h"

#include <algorithm>

namespace quadrille::power_of_two_tori {
namespace {

constexpr uint64_t two_to(uint64_t exponent) { return uint64_t{1} << exponent; }

// Four times the blocks of GP_l and of SP_l, l <= d-3: lemmas 2 and 5.
int64_t four_times_level(uint32_t d, uint32_t l) {
  const auto power = [](uint32_t exponent) { return static_cast<int64_t>(two_to(exponent)); };
  const int64_t case_1 = power(d + l + 1) - 5 * power(2 * l + 1) + 3 * power(l + 1);
  return std::max(case_1, 7 * power(2 * l));
}

CostParts times(CostParts cost, uint64_t stages, uint64_t blocks) {
  return {.start_ups = stages * cost.start_ups, .critical_blocks = stages * blocks * *cost.critical_blocks};
}

CostParts plus(CostParts cost, uint64_t start_ups, uint64_t blocks) {
  return {.start_ups = cost.start_ups + start_ups, .critical_blocks = *cost.critical_blocks + blocks};
}

CostParts parts(uint64_t start_ups, int64_t blocks) {
  return {.start_ups = start_ups, .critical_blocks = static_cast<uint64_t>(blocks)};
}

}  // namespace

CostParts ring(uint32_t d) {
  int64_t four_times = 0;
  for (uint32_t l = 0; l + 3 <= d; ++l) four_times += 2 * four_times_level(d, l);
  // GP_(d-2), SP_(d-2), and what sharing one port between both directions adds.
  const uint64_t top = two_to(2 * d - 6) + 3 * two_to(d - 3) + 1;
  return {.start_ups = 2 * d - 2,
          .critical_blocks = static_cast<uint64_t>(four_times) / 4 + top + (d == 3 ? 3 : 2)};
}

CostParts t1(uint32_t d, uint32_t dimensions) {
  return times(ring(d), dimensions, two_to(d * (dimensions - 1)));
}

CostParts t4(uint32_t d) { return plus(times(ring(d - 1), 2, 4 * two_to(d - 1)), 2, two_to(2 * d)); }

CostParts c64(uint32_t d) {
  return plus(times(ring(d - 2), 4, 64 * two_to(2 * (d - 2))), 9, 9 * two_to(3 * d - 1));
}

CostParts dp2d(uint32_t d) {
  return {.start_ups = two_to(d - 1) + 2, .critical_blocks = two_to(3 * d - 2) + two_to(2 * d)};
}

CostParts dp3d(uint32_t d) {
  return {.start_ups = two_to(d - 1) + 5, .critical_blocks = two_to(4 * d - 2) + 5 * two_to(3 * d - 1)};
}

CostParts t2d1(uint32_t d) {
  const auto x = static_cast<int64_t>(d);
  return parts(3 * (d - 1), 9 * static_cast<int64_t>(two_to(3 * d - 4)) +
                                (x * x - 5 * x + 3) * static_cast<int64_t>(two_to(2 * d - 1)));
}

CostParts t2d2(uint32_t d) {
  return {.start_ups = 3 * two_to(d - 2), .critical_blocks = 3 * two_to(3 * d - 3)};
}

CostParts t3d1(uint32_t d) {
  const auto x = static_cast<int64_t>(d);
  return parts(4 * d - 2, 5 * static_cast<int64_t>(two_to(4 * d - 2)) +
                              (x * x - 3 * x - 2) * static_cast<int64_t>(two_to(3 * d - 1)));
}

CostParts t3d2(uint32_t d) {
  return {.start_ups = 3 * two_to(d - 2) + d,
          .critical_blocks = 3 * two_to(4 * d - 3) + d * two_to(3 * d - 1)};
}

CostParts bound(uint32_t d, uint32_t dimensions) {
  return {.start_ups = uint64_t{d} * dimensions, .critical_blocks = two_to(d * (dimensions + 1) - 3)};
}

}  // namespace quadrille::power_of_two_tori
