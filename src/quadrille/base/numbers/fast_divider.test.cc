#include "quadrille/base/numbers/fast_divider.h"

#include <rapidcheck/gtest.h>

namespace quadrille {
namespace fast_divider_test {

RC_GTEST_PROP(FastDivider, DividesLikeTheMachine, (uint32_t n, uint32_t any)) {
  const uint32_t divisor = any == 0 ? 1 : any;
  const FastDivider fast(divisor);
  RC_ASSERT(fast.quotient(n) == n / divisor);
  RC_ASSERT(fast.remainder(n) == n % divisor);
}

TEST(FastDivider, HoldsAtTheEdges) {
  for (const uint32_t divisor : {1U, 2U, 3U, 4096U, 65535U, 65536U, 0x80000000U, 0xffffffffU}) {
    const FastDivider fast(divisor);
    for (const uint32_t n : {0U, 1U, divisor - 1, divisor, 0x7fffffffU, 0xfffffffeU, 0xffffffffU}) {
      EXPECT_EQ(fast.quotient(n), n / divisor) << n << "/" << divisor;
      EXPECT_EQ(fast.remainder(n), n % divisor) << n << "%" << divisor;
    }
  }
}

}  // namespace fast_divider_test
}  // namespace quadrille
