#include "quadrille/base/json/json_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace quadrille {
namespace json_text_test {

std::string number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

// The library that reads our plans, as a second voice.
std::string by_library(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

TEST(JsonText, QuotesBackslashesAndControlCharactersAreEscaped) {
  EXPECT_EQ(json_string(""), "\"\"");
  EXPECT_EQ(json_string(R"(say "torus" \ ring)"), R"("say \"torus\" \\ ring")");
  EXPECT_EQ(json_string("a\b\t\n\f\rz"), R"("a\b\t\n\f\rz")");
  EXPECT_EQ(json_string(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
}

TEST(JsonText, CharactersBeyondAsciiStandForThemselves) {
  EXPECT_EQ(json_string("K\xc3\xb6nigsberg \xe2\x86\x92 \xf0\x9f\x8c\x89"),
            "\"K\xc3\xb6nigsberg \xe2\x86\x92 \xf0\x9f\x8c\x89\"");
}

TEST(JsonText, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(json_string("a\xffz"), "\"a\xef\xbf\xbdz\"");
  EXPECT_EQ(json_string("\xe2\x86"), "\"\xef\xbf\xbd\"")
      << "cut off: one for what could have become a character";
  EXPECT_EQ(json_string("\xe2\x86z"), "\"\xef\xbf\xbdz\"");
  EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") << "half of UTF-16";
  EXPECT_EQ(json_string("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"") << "there is a shorter form";
}

TEST(JsonText, EveryPairOfBytesAndManyLongerTextsAreWrittenAsTheLibraryWritesThem) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(json_string(text), by_library(text)) << first << " " << second;
    }
  }
  // Mostly bytes that begin, continue or break long characters.
  constexpr std::string_view kBytes =
      "\x7f\x80\x8f\x90\x9f\xa0\xbf\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf4\xf5\xff\"z";
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (auto left = random() % 8; left > 0; --left) text += kBytes[random() % kBytes.size()];
    ASSERT_EQ(json_string(text), by_library(text)) << i;
  }
}

TEST(JsonText, NumbersHaveAPointOrAnExponent) {
  EXPECT_EQ(number(0), "0.0");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(1), "1.0");
  EXPECT_EQ(number(-1234.5), "-1234.5");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(0.00012), "0.00012");
  EXPECT_EQ(number(0.000012), "1.2e-05");
  EXPECT_EQ(number(1e14), "100000000000000.0");
  EXPECT_EQ(number(1e15), "1e+15");
  EXPECT_EQ(number(1.5e300), "1.5e+300");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonText, NumbersAreReadAsTheSame) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (i % 2 == 0) value = static_cast<double>(bits % 1'000'000) / 1000;
    if (!std::isfinite(value)) continue;
    const std::string text = number(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    ASSERT_LE(text.size(), nlohmann::json(value).dump().size()) << text;
    if (i % 2 != 0) continue;
    ASSERT_EQ(text, nlohmann::json(value).dump());
  }
}

}  // namespace json_text_test
}  // namespace quadrille
