#include "quadrille/base/numbers/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

// A unit is a ratio, so that "80ns" is the number nearest to 0.08 and not that of 80 times an inexact 0.001.
struct Unit {
  std::string_view word;
  double times;
  double over = 1;
};

// Microseconds.
constexpr std::array kTimes = {Unit{"s", 1e6},       Unit{"ms", 1e3},    Unit{"us", 1},
                               Unit{"\xC2\xB5s", 1}, Unit{"ns", 1, 1e3}, Unit{"ps", 1, 1e6},
                               Unit{"\xCE\xBCs", 1}};
constexpr std::array kSizes = {Unit{"B", 1},        Unit{"K", 0x1p10}, Unit{"KiB", 0x1p10}, Unit{"M", 0x1p20},
                               Unit{"MiB", 0x1p20}, Unit{"G", 0x1p30}, Unit{"GiB", 0x1p30}, Unit{"T", 0x1p40},
                               Unit{"TiB", 0x1p40}, Unit{"kB", 1e3},   Unit{"KB", 1e3},     Unit{"MB", 1e6},
                               Unit{"GB", 1e9},     Unit{"TB", 1e12}};
// Bits a second.
constexpr std::array kBandwidths = {
    Unit{"bit/s", 1},     Unit{"kbit/s", 1e3},   Unit{"Mbit/s", 1e6},   Unit{"Gbit/s", 1e9},
    Unit{"Tbit/s", 1e12}, Unit{"Mb/s", 1e6},     Unit{"Gb/s", 1e9},     Unit{"Tb/s", 1e12},
    Unit{"Mbps", 1e6},    Unit{"Gbps", 1e9},     Unit{"Tbps", 1e12},    Unit{"kBps", 8e3},
    Unit{"MBps", 8e6},    Unit{"GBps", 8e9},     Unit{"TBps", 8e12},    Unit{"B/s", 8},
    Unit{"kB/s", 8e3},    Unit{"KB/s", 8e3},     Unit{"MB/s", 8e6},     Unit{"GB/s", 8e9},
    Unit{"TB/s", 8e12},   Unit{"KiB/s", 0x1p13}, Unit{"MiB/s", 0x1p23}, Unit{"GiB/s", 0x1p33},
    Unit{"TiB/s", 0x1p43}};

constexpr std::string_view kTimeUnits = "s, ms, us, ns, ps";
constexpr std::string_view kSizeUnits =
    "B, K or KiB, M or MiB, G or GiB, T or TiB (of 1024), kB, MB, GB, TB (of 1000)";
constexpr std::string_view kRateUnits =
    "a bandwidth in Mbit/s, Gbit/s, MB/s, GB/s, GiB/s and the like, or a time per byte in ns/B, us/B and the like";

const Unit* find(std::span<const Unit> units, std::string_view word) {
  for (const Unit& unit : units) {
    if (unit.word == word) return &unit;
  }
  return nullptr;
}

std::vector<std::string> words_of(std::span<const Unit> units) {
  std::vector<std::string> out;
  for (const Unit& unit : units) out.emplace_back(unit.word);
  return out;
}

// A text, the part of it that is looked at, and how one complains.
struct Reader {
  std::string_view what;
  std::string_view all;
  std::string_view part;  // of `all`

  [[noreturn]] void fail(std::string_view wrong, std::string_view message,
                         std::vector<std::string> allowed = {}) const {
    std::string shown(all);
    std::ranges::replace_if(
        shown, [](char c) { return c < ' ' || c > '~'; }, '?');
    constexpr size_t kLongest = 60;
    const auto offset = static_cast<size_t>(wrong.data() - all.data());
    const size_t from = offset > kLongest ? offset - kLongest / 2 : 0;
    const size_t marks = std::clamp<size_t>(wrong.size(), 1, kLongest / 2);
    RefusedValue value{.of = std::string(what), .given = std::string(all), .allowed = std::move(allowed)};
    throw ValueError(fmt::format("{}: {}\n  {}\n  {}^{}", what, message, shown.substr(from, kLongest + 1),
                                 std::string(offset - from, ' '), std::string(marks - 1, '~')),
                     std::move(value));
  }

  struct Number {
    double value;
    std::string_view digits;
    std::string_view unit;  // empty where none is given
  };
  // What is allowed, as a sentence that begins in its middle: "a time such as 2us".
  [[nodiscard]] Number number(std::string_view allowed) const {
    double value = 0;
    const char* const last = part.data() + part.size();
    const auto [end, error] = std::from_chars(part.data(), last, value);
    const auto length = static_cast<size_t>(end - part.data());
    if (error != std::errc() || !is_cost(value)) {
      fail(part.substr(0, std::max<size_t>(length, part.empty() ? 0 : 1)),
           part.empty() ? fmt::format("a number is missing; allowed is {}", allowed)
                        : fmt::format("'{}' is given; allowed is {}", shown(part), allowed),
           {std::string(allowed)});
    }
    std::string_view unit = part.substr(length);
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    return {value, part.substr(0, length), unit};
  }

  static std::string shown(std::string_view text) {
    std::string out(text.substr(0, 40));
    std::ranges::replace_if(
        out, [](char c) { return c < ' ' || c > '~'; }, '?');
    return out;
  }

  // What does not fit a cost any more.
  [[nodiscard]] double checked(double value, const Number& number) const {
    if (!is_cost(value))
      fail(number.digits,
           fmt::format("'{}' is too much; allowed is at most {} microseconds", shown(part), kMostCost));
    return value;
  }
};

constexpr std::string_view kTimeAllowed = "a number from 0 to 1e+100, or a time such as 2us, 1.5ms or 80ns";
constexpr std::string_view kRateAllowed =
    "a number from 0 to 1e+100, a bandwidth such as 100Gbit/s or 12.5GB/s, or a time per byte such as 0.08ns/B";
constexpr std::string_view kSizeAllowed =
    "a whole number from 0 to 18446744073709551615, or a size such as 64K or 1MiB";

uint64_t bytes_of(const Reader& in) {
  // Plain digits are exact to the last of 64 bits.
  uint64_t whole = 0;
  const char* const last = in.part.data() + in.part.size();
  if (const auto [end, error] = std::from_chars(in.part.data(), last, whole);
      error == std::errc() && end == last)
    return whole;
  const Reader::Number number = in.number(kSizeAllowed);
  const Unit* const unit = number.unit.empty() ? kSizes.data() : find(kSizes, number.unit);
  if (unit == nullptr) {
    in.fail(number.unit,
            fmt::format("'{}' is no unit of size; allowed are {}", Reader::shown(number.unit), kSizeUnits),
            words_of(kSizes));
  }
  const double bytes = number.value * unit->times;
  if (bytes >= 0x1p64)
    in.fail(in.part, fmt::format("'{}' is too much; allowed is {}", Reader::shown(in.part), kSizeAllowed));
  if (bytes != std::floor(bytes)) {
    in.fail(in.part,
            fmt::format("'{}' is {:.6g} bytes; allowed is {}", Reader::shown(in.part), bytes, kSizeAllowed));
  }
  return static_cast<uint64_t>(bytes);
}

// Every size is at most twice as far from the next as the factor says: 64:100 is 64 and 100.
void add_range(const Reader& in, uint64_t first, uint64_t last, uint64_t factor, std::vector<uint64_t>& out) {
  if (first == 0 || last < first) {
    in.fail(in.part,
            fmt::format("'{}' is no range: it goes up, from at least 1 byte", Reader::shown(in.part)));
  }
  for (uint64_t size = first; size < last; size *= factor) {
    out.push_back(size);
    if (size > last / factor) break;
  }
  out.push_back(last);
}

}  // namespace

Quantity parse_time(std::string_view text, std::string_view what) {
  const Reader in{what, text, text};
  const Reader::Number number = in.number(kTimeAllowed);
  if (number.unit.empty()) return {number.value, false};
  const Unit* const unit = find(kTimes, number.unit);
  if (unit == nullptr) {
    in.fail(number.unit,
            fmt::format("'{}' is no unit of time; allowed are {}", Reader::shown(number.unit), kTimeUnits),
            words_of(kTimes));
  }
  return {in.checked(number.value * unit->times / unit->over, number), true};
}

Quantity parse_time_per_byte(std::string_view text, std::string_view what) {
  const Reader in{what, text, text};
  const Reader::Number number = in.number(kRateAllowed);
  if (number.unit.empty()) return {number.value, false};
  if (const Unit* const rate = find(kBandwidths, number.unit)) {
    if (number.value == 0)
      in.fail(number.digits,
              "a bandwidth of 0 moves nothing; for bytes that cost nothing give the time per byte, 0");
    return {in.checked(8e6 / (number.value * rate->times), number), true};
  }
  const size_t slash = number.unit.find('/');
  if (slash != std::string_view::npos) {
    const Unit* const time = find(kTimes, number.unit.substr(0, slash));
    const Unit* const size = find(kSizes, number.unit.substr(slash + 1));
    if (time != nullptr && size != nullptr)
      return {in.checked(number.value * time->times / (time->over * size->times), number), true};
  }
  in.fail(number.unit, fmt::format("'{}' is no bandwidth and no time per byte; allowed is {}",
                                   Reader::shown(number.unit), kRateUnits));
}

namespace {

constexpr std::string_view kBandwidthAllowed = "a bandwidth such as 100Gbit/s or 12.5GB/s is needed";

// "12.5e1 GB/s" taken apart: its digits as a whole number, by which power of ten to multiply, and the unit.
struct Decimal {
  Int128 digits = 0;
  int exponent = 0;
  std::string_view unit{};
};

std::optional<Decimal> read_decimal(std::string_view text) {
  constexpr Int128 kMostDigits = Int128{1'000'000'000'000'000'000};
  constexpr int kMostExponent = 40;
  Decimal out;
  bool any = false;
  bool behind_point = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    any = true;
    out.digits = out.digits * 10 + (text[at] - '0');
    out.exponent -= behind_point ? 1 : 0;
    if (out.digits >= kMostDigits || out.exponent < -kMostExponent) return std::nullopt;
  }
  if (!any) return std::nullopt;
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const char* const first = text.data() + at + (text[at + 1] == '+' ? 2 : 1);
    int power = 0;
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), power);
    if (error != std::errc() || power > kMostExponent || power < -kMostExponent) return std::nullopt;
    out.exponent += power;
    at = static_cast<size_t>(end - text.data());
  }
  out.unit = trimmed(text.substr(at));
  return out;
}

}  // namespace

ExactBandwidth read_bandwidth(std::string_view text) {
  constexpr int kMicro = 6;
  constexpr Int128 kMost = Int128{1'000'000'000'000'000'000} * 1'000'000;
  const auto wrong = [](std::string_view why) {
    return ExactBandwidth{.wrong = fmt::format("{}{}", why, kBandwidthAllowed)};
  };
  const std::optional<Decimal> number = read_decimal(trimmed(text));
  if (!number) return wrong("");
  if (number->unit.empty()) return wrong("without a unit it may be anything; ");
  const Unit* const unit = find(kBandwidths, number->unit);
  if (unit == nullptr) {
    return {.wrong =
                fmt::format("'{}' is no unit of bandwidth; allowed are Mbit/s, Gbit/s, MB/s, GB/s, GiB/s and "
                            "the like",
                            Reader::shown(number->unit))};
  }
  if (number->digits == 0) return wrong("it moves nothing; ");
  Int128 value = number->digits * static_cast<int64_t>(unit->times);
  int exponent = number->exponent + kMicro;
  for (; exponent > 0 && value <= kMost; --exponent) value *= 10;
  for (; exponent < 0 && value % 10 == 0; ++exponent) value /= 10;
  if (value > kMost) return wrong("it is more than 10^18 bits a second; ");
  if (exponent != 0) return wrong("it has too many digits; ");
  return {.microbits = value};
}

std::string bandwidth_text(double bits_per_second) {
  constexpr double kGiga = 1e9;
  constexpr double kMega = 1e6;
  if (bits_per_second >= kGiga) return fmt::format("{:.6g} Gbit/s", bits_per_second / kGiga);
  if (bits_per_second >= kMega) return fmt::format("{:.6g} Mbit/s", bits_per_second / kMega);
  return fmt::format("{:.6g} bit/s", bits_per_second);
}

uint64_t parse_bytes(std::string_view text, std::string_view what) { return bytes_of({what, text, text}); }

std::vector<uint64_t> parse_byte_sizes(std::string_view text, std::string_view what) {
  constexpr uint64_t kDoubling = 2;
  std::vector<uint64_t> out;
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    const Reader item{what, text, trimmed(text.substr(from, comma - from))};
    const auto part = [&](std::string_view inside) { return Reader{what, text, trimmed(inside)}; };
    const size_t colon = item.part.find(':');
    if (colon == std::string_view::npos) {
      out.push_back(bytes_of(item));
    } else {
      const size_t second = std::min(item.part.find(':', colon + 1), item.part.size());
      const uint64_t first = bytes_of(part(item.part.substr(0, colon)));
      const uint64_t last = bytes_of(part(item.part.substr(colon + 1, second - colon - 1)));
      uint64_t factor = kDoubling;
      if (second < item.part.size()) {
        const Reader given = part(item.part.substr(second + 1));
        factor = bytes_of(given);
        if (factor < kDoubling)
          given.fail(given.part, "the sizes of a range are multiplied by a whole number of at least 2");
      }
      add_range(item, first, last, factor, out);
    }
    from = comma + 1;
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string bytes_text(uint64_t bytes) {
  struct Step {
    uint64_t bytes;
    std::string_view word;
  };
  constexpr std::array kSteps = {Step{uint64_t{1} << 40U, "TiB"}, Step{uint64_t{1} << 30U, "GiB"},
                                 Step{uint64_t{1} << 20U, "MiB"}, Step{uint64_t{1} << 10U, "KiB"}};
  for (const Step& step : kSteps) {
    if (bytes < step.bytes) continue;
    // Quarters have at most two digits behind the point.
    if (bytes % (step.bytes / 4) != 0) break;
    return fmt::format("{} {}", static_cast<double>(bytes) / static_cast<double>(step.bytes), step.word);
  }
  return fmt::format("{} B", with_thousands(bytes));
}

}  // namespace quadrille
