// Quantities with units, as people write them: one reader for every option that takes a time, a bandwidth or a size.
//
//     parse_time("1.5ms", "--ts")                  // 1500 (microseconds), with a unit
//     parse_time("2", "--ts")                      // 2, without one: what it counts is the reader's to say
//     parse_time_per_byte("100Gbit/s", "--tx")     // 0.00008 (microseconds per byte)
//     parse_time_per_byte("0.08ns/B", "--tx")      // the same
//     parse_bytes("64K", "--bytes")                // 65536, as 64KiB; 64kB is 64000
//     parse_byte_sizes("64:1KiB", "--bytes")       // 64, 128, 256, 512, 1024
//
// What cannot be read is an InputError: what the text was given for, what is allowed, and a caret under what is wrong:
//
//     --ts: 'sec' is no unit of time; allowed are s, ms, us, ns, ps
//       2sec
//        ^~~
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {

struct Quantity {
  double value = 0.0;  ///< with a unit: in microseconds, or microseconds per byte
  bool has_unit = false;
};

/// A time from 0 to 10^100: "2us", "1.5 ms", "80ns", "0.5s", or a plain number.
[[nodiscard]] Quantity parse_time(std::string_view text, std::string_view what);

/// What a byte costs: "100Gbit/s" and "12.5GB/s" are bandwidths, "0.08ns/B" a time per byte; or a plain number, which is
/// a time per byte.
[[nodiscard]] Quantity parse_time_per_byte(std::string_view text, std::string_view what);

/// A bandwidth, so exact that ratios of bandwidths are: "400Gbit/s", "12.5 GB/s".
struct ExactBandwidth {
  Int128 microbits = 0;  ///< a second: millionths of a bit
  std::string wrong{};   ///< why the text is none, to go on after "'100' is given: "; empty if all is well

  [[nodiscard]] double bits_per_second() const { return static_cast<double>(microbits) / 1e6; }
};

/// From a millionth of a bit to 10^18 bits a second; unlike the others it throws nothing.
[[nodiscard]] ExactBandwidth read_bandwidth(std::string_view text);
/// "400 Gbit/s".
[[nodiscard]] std::string bandwidth_text(double bits_per_second);

/// A whole number of bytes below 2^64: K, M, G, T and KiB, MiB, ... are powers of 1024, kB, MB, ... of 1000.
[[nodiscard]] uint64_t parse_bytes(std::string_view text, std::string_view what);

/// The sizes of a sweep: "64:64MiB" doubles from the first to the last, "64:1GiB:4" multiplies by 4; "1K,1500,1M" is a
/// list, whose parts may be such ranges. Rising, each once.
[[nodiscard]] std::vector<uint64_t> parse_byte_sizes(std::string_view text, std::string_view what);

/// "64 B", "1.5 KiB", "1 MiB": exact; in bytes where no larger unit says it in a few digits.
[[nodiscard]] std::string bytes_text(uint64_t bytes);

}  // namespace quadrille
