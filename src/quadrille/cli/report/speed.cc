#include "quadrille/cli/report/speed.h"

#include <fmt/format.h>

#include <iterator>

namespace quadrille {
namespace {

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.0f} us", seconds * 1e6);
}

}  // namespace

std::string speed_text(double seconds, uint32_t runs, double bytes) {
  const std::string times = runs == 1 ? "" : fmt::format(" for {} runs", runs);
  return fmt::format("{}{}, {}/s", time_text(seconds), times, bytes_text(seconds > 0 ? bytes / seconds : 0));
}

}  // namespace quadrille
