#include "quadrille/base/numbers/units.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "quadrille/base/random.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace units_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Units, TimesAreMicroseconds) {
  for (const auto& [text, us] : {std::pair{"2us", 2.0},
                                 {"1.5ms", 1500.0},
                                 {"80ns", 0.08},
                                 {"0.5s", 5e5},
                                 {"7ps", 7e-6},
                                 {"1e3 us", 1000.0},
                                 {"3\xC2\xB5s", 3.0},
                                 {"0us", 0.0}}) {
    EXPECT_EQ(parse_time(text, "--ts").value, us) << text;
    EXPECT_TRUE(parse_time(text, "--ts").has_unit) << text;
  }
  EXPECT_EQ(parse_time("2.5", "--ts").value, 2.5);
  EXPECT_FALSE(parse_time("2.5", "--ts").has_unit);
}

TEST(Units, ABandwidthMakesATimePerByte) {
  for (const auto& [text, us] : {std::pair{"100Gbit/s", 8e-5},
                                 {"12.5GB/s", 8e-5},
                                 {"100Gb/s", 8e-5},
                                 {"100Gbps", 8e-5},
                                 {"0.08ns/B", 8e-5},
                                 {"80us/MB", 8e-5},
                                 {"1us/KiB", 1.0 / 1024},
                                 {"8Mbit/s", 1.0},
                                 {"1MiB/s", 1e6 / (1 << 20)},
                                 {"0ns/B", 0.0}}) {
    EXPECT_EQ(parse_time_per_byte(text, "--tx").value, us) << text;
    EXPECT_TRUE(parse_time_per_byte(text, "--tx").has_unit) << text;
  }
  EXPECT_FALSE(parse_time_per_byte("0.5", "--tx").has_unit);
}

TEST(Units, SizesAreWholeBytes) {
  for (const auto& [text, bytes] : {std::pair{"0", uint64_t{0}},
                                    {"18446744073709551615", UINT64_MAX},
                                    {"64K", 65536},
                                    {"64KiB", 65536},
                                    {"64kB", 64000},
                                    {"1MiB", 1 << 20},
                                    {"1.5K", 1536},
                                    {"1e3", 1000},
                                    {"2 G", uint64_t{1} << 31U},
                                    {"3B", 3},
                                    {"15T", uint64_t{15} << 40U}}) {
    EXPECT_EQ(parse_bytes(text, "--bytes"), bytes) << text;
  }
}

TEST(Units, ASweepDoublesUnlessItSaysOtherwise) {
  EXPECT_THAT(parse_byte_sizes("64:1KiB", "--bytes"), ElementsAre(64, 128, 256, 512, 1024));
  EXPECT_THAT(parse_byte_sizes("64:1000", "--bytes"), ElementsAre(64, 128, 256, 512, 1000));
  EXPECT_THAT(parse_byte_sizes("1K:64K:8", "--bytes"), ElementsAre(1024, 8192, 65536));
  EXPECT_THAT(parse_byte_sizes("1M, 7, 64:128", "--bytes"), ElementsAre(7, 64, 128, 1 << 20));
  EXPECT_THAT(parse_byte_sizes("5", "--bytes"), ElementsAre(5));
  EXPECT_THAT(parse_byte_sizes("5:5", "--bytes"), ElementsAre(5));
  EXPECT_EQ(parse_byte_sizes("1:18446744073709551615", "--bytes").size(), 65U);
}

TEST(Units, WhatIsWrongIsUnderTheCaret) {
  EXPECT_EQ(error_of([] { (void)parse_time("2sec", "--ts"); }),
            "--ts: 'sec' is no unit of time; allowed are s, ms, us, ns, ps\n  2sec\n   ^~~");
  EXPECT_EQ(
      error_of([] { (void)parse_time("-2us", "--ts"); }),
      "--ts: '-2us' is given; allowed is a number from 0 to 1e+100, or a time such as 2us, 1.5ms or 80ns\n  -2us\n  ^~");
  EXPECT_THAT(error_of([] { (void)parse_time("", "--ts"); }),
              HasSubstr("--ts: a number is missing; allowed is"));
  EXPECT_THAT(error_of([] { (void)parse_time("1e100s", "--ts"); }), HasSubstr("is too much"));
  EXPECT_THAT(
      error_of([] { (void)parse_time_per_byte("3 furlong/s", "--tx"); }),
      HasSubstr("'furlong/s' is no bandwidth and no time per byte; allowed is a bandwidth in Mbit/s"));
  EXPECT_THAT(error_of([] { (void)parse_time_per_byte("3 furlong/s", "--tx"); }),
              HasSubstr("\n  3 furlong/s\n    ^~~~~~~~~"));
  EXPECT_THAT(error_of([] { (void)parse_time_per_byte("0GB/s", "--tx"); }),
              HasSubstr("a bandwidth of 0 moves nothing"));
  EXPECT_THAT(error_of([] { (void)parse_bytes("1.5", "--bytes"); }),
              HasSubstr("'1.5' is 1.5 bytes; allowed is a whole number"));
  EXPECT_THAT(error_of([] { (void)parse_bytes("16777216T", "--bytes"); }), HasSubstr("is too much"));
  EXPECT_THAT(error_of([] { (void)parse_byte_sizes("64:32", "--bytes"); }),
              HasSubstr("it goes up, from at least 1 byte"));
  EXPECT_THAT(error_of([] { (void)parse_byte_sizes("64:1Q", "--bytes"); }), HasSubstr("\n  64:1Q\n      ^"));
  EXPECT_THAT(error_of([] { (void)parse_byte_sizes("64:128:1", "--bytes"); }), HasSubstr("at least 2"));
  EXPECT_THAT(error_of([] { (void)parse_byte_sizes("64,", "--bytes"); }), HasSubstr("a number is missing"));
  EXPECT_THAT(error_of([] { (void)parse_byte_sizes("0:5", "--bytes"); }), HasSubstr("it goes up"));
}

// Whatever is a number with a unit is read, and what is read is what a plain product says.
TEST(Units, AnyNumberOfAnyUnitIsRead) {
  Rng rng(7);
  for (int i = 0; i < 1000; ++i) {
    const double value = static_cast<double>(rng.below(1'000'000)) / 64 + 1;
    EXPECT_DOUBLE_EQ(parse_time(fmt::format("{}ms", value), "t").value, 1e3 * value);
    EXPECT_DOUBLE_EQ(parse_time_per_byte(fmt::format("{}Gbit/s", value), "t").value, 8e-3 / value);
    EXPECT_DOUBLE_EQ(parse_time_per_byte(fmt::format("{}ns/B", value), "t").value, 1e-3 * value);
    const uint64_t bytes = rng.next();
    EXPECT_EQ(parse_bytes(fmt::format("{}", bytes), "t"), bytes);
  }
}

// Any bytes are a quantity or one message.
TEST(Units, AnyTextIsReadOrRefused) {
  constexpr std::string_view kAlphabet = "0123456789.eE+-:, KMGTiBbs/unpm\xC2\xB5\n\0x";
  Rng rng(11);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (uint64_t length = rng.below(9); length > 0; --length) text += kAlphabet[rng.below(kAlphabet.size())];
    for (const int kind : {0, 1, 2, 3}) {
      const std::string said = error_of([&] {
        if (kind == 0) {
          EXPECT_GE(parse_time(text, "x").value, 0) << text;
        }
        if (kind == 1) {
          EXPECT_GE(parse_time_per_byte(text, "x").value, 0) << text;
        }
        if (kind == 2) (void)parse_bytes(text, "x");
        if (kind == 3) {
          EXPECT_FALSE(parse_byte_sizes(text, "x").empty()) << text;
        }
      });
      if (said != "no error") {
        EXPECT_THAT(said, HasSubstr("^")) << text;
      }
    }
  }
}

TEST(Units, SizesAreShownExactly) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1000), "1,000 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(1 << 20), "1 MiB");
  EXPECT_EQ(bytes_text((1 << 20) + 1), "1,048,577 B");
  EXPECT_EQ(bytes_text(uint64_t{64} << 30U), "64 GiB");
}

TEST(Units, BandwidthsAreExact) {
  const auto microbits = [](std::string_view text) {
    const ExactBandwidth read = read_bandwidth(text);
    EXPECT_EQ(read.wrong, "") << text;
    return to_string(read.microbits);
  };
  EXPECT_EQ(microbits("1bit/s"), "1000000");
  EXPECT_EQ(microbits(" 12.5 GB/s "), "100000000000000000");
  EXPECT_EQ(microbits("100Gbit/s"), "100000000000000000");
  EXPECT_EQ(microbits("0.1e3 Gbps"), "100000000000000000");
  EXPECT_EQ(microbits("1E-6bit/s"), "1");
  EXPECT_EQ(microbits("1KiB/s"), "8192000000");
  EXPECT_EQ(microbits("1000000000Gbit/s"), "1000000000000000000000000");
  for (const char* text : {"", "GB/s", ".", "1e", "1e99Gbit/s", "1e40Gbit/s", "100000000000000000000bit/s",
                           "-1GB/s", "nan", "1e-7bit/s", "0GB/s", "1", "1 us", "1ns/B"})
    EXPECT_NE(read_bandwidth(text).wrong, "") << text;
  EXPECT_EQ(bandwidth_text(1e11), "100 Gbit/s");
  EXPECT_EQ(bandwidth_text(2.5e6), "2.5 Mbit/s");
  EXPECT_EQ(bandwidth_text(7), "7 bit/s");
}

}  // namespace units_test
}  // namespace quadrille
