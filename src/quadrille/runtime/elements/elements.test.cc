#include "quadrille/runtime/elements/elements.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/random.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille::elements_test {
namespace {

template <typename T>
T combined(std::string_view type, std::string_view op, T into, T from) {
  const Reduction& reduction = reduction_of({parse_element_type(type), parse_element_operator(op)});
  EXPECT_EQ(reduction.element_bytes, sizeof(T));
  reduction.apply(reinterpret_cast<std::byte*>(&into), reinterpret_cast<const std::byte*>(&from), sizeof(T));
  return into;
}

TEST(Elements, WordsAreReadAsTheyAreWritten) {
  for (int t = 0; t <= static_cast<int>(ElementType::kDouble); ++t)
    EXPECT_EQ(parse_element_type(to_text(ElementType(t))), ElementType(t));
  for (int o = 0; o <= static_cast<int>(ElementOperator::kCompose); ++o)
    EXPECT_EQ(parse_element_operator(to_text(ElementOperator(o))), ElementOperator(o));
  EXPECT_EQ(
      error_of([] { (void)parse_element_type("real"); }),
      "--type is 'real'; allowed are int8, int16, int32, int64, uint8, uint16, uint32, uint64, half, bfloat16, "
      "float, double");
  EXPECT_EQ(error_of([] {
              require_sense({ElementType::kFloat, ElementOperator::kBand});
            }),
            "--op band combines bits, and --type float is a floating-point number; it is for integers");
}

TEST(Elements, IntegersWrapAround) {
  EXPECT_EQ(combined<int8_t>("int8", "sum", 100, 100), -56);
  EXPECT_EQ(combined<uint16_t>("uint16", "prod", 65535, 65535), 1);
  EXPECT_EQ(combined<int64_t>("int64", "sum", INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(combined<int32_t>("int32", "prod", 1 << 30, 6), INT32_MIN);
}

TEST(Elements, EveryOperatorDoesWhatItSays) {
  EXPECT_EQ(combined<int32_t>("int32", "min", -3, 2), -3);
  EXPECT_EQ(combined<uint32_t>("uint32", "max", 4000000000U, 2), 4000000000U);
  EXPECT_EQ(combined<uint8_t>("uint8", "band", 12, 10), 8);
  EXPECT_EQ(combined<uint8_t>("uint8", "bor", 12, 10), 14);
  EXPECT_EQ(combined<uint8_t>("uint8", "bxor", 12, 10), 6);
  EXPECT_EQ(combined<int16_t>("int16", "land", 2, 4), 1);
  EXPECT_EQ(combined<int16_t>("int16", "lor", 0, 0), 0);
  EXPECT_EQ(combined<double>("double", "lxor", 3, 0), 1);
  EXPECT_EQ(combined<float>("float", "sum", 1.5F, 2), 3.5F);
  EXPECT_EQ(combined<double>("double", "prod", 1.5, 2), 3);
}

TEST(Elements, MapsAreDoneOneAfterTheOther) {
  using Map = std::array<float, 2>;
  const Map doubled{2, 0};
  const Map raised{1, 3};
  const Reduction& compose = reduction_of({ElementType::kFloat, ElementOperator::kCompose});
  Map map = doubled;
  const auto* other = reinterpret_cast<const std::byte*>(raised.data());
  compose.apply(reinterpret_cast<std::byte*>(map.data()), other, sizeof map);
  EXPECT_EQ(map, (Map{2, 3})) << "first doubled, then raised";
  map = doubled;
  compose.apply_before(reinterpret_cast<std::byte*>(map.data()), other, sizeof map);
  EXPECT_EQ(map, (Map{2, 6})) << "first raised, then doubled";
}

// Sixteen bits are few enough to try all.
TEST(Elements, NumbersOfSixteenBitsAreReadAsTheyAreWritten) {
  for (const ElementType type : {ElementType::kHalf, ElementType::kBfloat16}) {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const auto stored = static_cast<uint16_t>(bits);
      std::array<std::byte, 2> bytes;
      std::memcpy(bytes.data(), &stored, 2);
      const double value = float_at(type, bytes.data());
      if (std::isnan(value)) continue;
      put_float(type, value, bytes.data());
      uint16_t again = 0;
      std::memcpy(&again, bytes.data(), 2);
      ASSERT_EQ(again, stored) << value;
    }
  }
}

TEST(Elements, NumbersOfSixteenBitsAreRoundedToTheNearest) {
  const auto rounded = [](ElementType type, double value) {
    std::array<std::byte, 2> bytes;
    put_float(type, value, bytes.data());
    return float_at(type, bytes.data());
  };
  using enum ElementType;
  EXPECT_EQ(rounded(kHalf, 1 + 0x1p-11), 1) << "to even";
  EXPECT_EQ(rounded(kHalf, 1 + 0x1.8p-10), 1 + 0x1p-9);
  EXPECT_EQ(rounded(kHalf, 65519), 65504);
  EXPECT_EQ(rounded(kHalf, 65520), std::numeric_limits<double>::infinity());
  EXPECT_EQ(rounded(kHalf, -0x1p-24), -0x1p-24);
  EXPECT_EQ(rounded(kHalf, 0x1p-25), 0);
  EXPECT_EQ(rounded(kBfloat16, 1 + 0x1p-8), 1);
  EXPECT_EQ(rounded(kBfloat16, 1 + 0x1.8p-7), 1 + 0x1p-6);
  EXPECT_TRUE(std::isnan(rounded(kHalf, std::nan(""))));
  EXPECT_TRUE(std::isnan(rounded(kBfloat16, std::nan(""))));
  Rng rng(1);
  for (int i = 0; i < 10000; ++i) {
    const double value = static_cast<double>(rng.next() >> 11U) * 0x1p-50 - 4;
    for (const ElementType type : {kHalf, kBfloat16})
      EXPECT_LE(std::abs(rounded(type, value) - value),
                unit_roundoff(type) * std::max(std::abs(value), 0x1p-13));
  }
}

}  // namespace
}  // namespace quadrille::elements_test
