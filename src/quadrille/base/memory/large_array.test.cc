#include "quadrille/base/memory/large_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <utility>

namespace quadrille {
namespace large_array_test {

TEST(LargeArray, IsZeroAndHoldsWhatIsWritten) {
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{1000}, size_t{262'144}, size_t{262'145}, size_t{1'000'000}}) {
    for (const Pages pages : {Pages::kHuge, Pages::kSmall}) {
      LargeArray<uint64_t> array(size, pages);
      ASSERT_EQ(array.size(), size);
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(array[i], 0U) << i << " of " << size;
        array[i] = i;
      }
      LargeArray<uint64_t> moved = std::move(array);
      for (size_t i = 0; i < size; ++i) ASSERT_EQ(moved[i], i) << size;
    }
  }
}

TEST(LargeArray, WhatIsNeverUsedCostsNothing) {
  // More than most machines have; nothing of it is there before it is used.
  LargeArray<uint64_t> array(size_t{1} << 28U, Pages::kSmall);
  array[array.size() - 1] = 7;
  EXPECT_EQ(array[array.size() - 1], 7U);
  EXPECT_EQ(array[array.size() / 2], 0U);
}

TEST(LargeArray, MoreThanThereCanBeIsRefused) {
  EXPECT_THROW((void)allocate_large(SIZE_MAX - 5), std::bad_alloc);
  EXPECT_THROW((void)allocate_large(SIZE_MAX / 2), std::bad_alloc);
  try {
    (void)allocate_large(size_t{1} << 60U);
    FAIL() << "is there a machine with 2^60 bytes?";
  } catch (const std::bad_alloc& error) {
    EXPECT_THAT(error.what(),
                ::testing::StartsWith(
                    "there is not enough memory for this: it needs about 1073741824 GiB at once; this "));
  }
}

}  // namespace large_array_test
}  // namespace quadrille
