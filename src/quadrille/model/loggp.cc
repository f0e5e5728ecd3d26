#include "quadrille/model/loggp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"

namespace quadrille {

LogGP parse_loggp(std::string_view text, std::string_view what) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (parts.size() != 4) {
    throw InputError(fmt::format(
        "{}: '{}' has {} parts; allowed are four, L,o,g,G: latency, overhead, gap and gap per byte, such as "
        "1us,0.3us,0.4us,100Gbit/s",
        what, text, parts.size()));
  }
  LogGP out;
  const std::array<double*, 3> times = {&out.latency, &out.overhead, &out.gap};
  constexpr std::array kNames = {"L", "o", "g"};
  const auto take = [&out](const Quantity& given, double& value) {
    value = given.value;
    out.in_microseconds = out.in_microseconds || given.has_unit;
  };
  for (size_t i = 0; i < times.size(); ++i)
    take(parse_time(parts[i], fmt::format("{}, {}", what, kNames[i])), *times[i]);
  take(parse_time_per_byte(parts[3], fmt::format("{}, G", what)), out.gap_per_byte);
  return out;
}

CostConstants loggp_costs(const LogGP& p) {
  return {.ts = p.latency + 2 * p.overhead,
          .tx = p.gap_per_byte,
          .to = std::max(p.overhead, p.gap),
          .in_microseconds = p.in_microseconds};
}

}  // namespace quadrille
