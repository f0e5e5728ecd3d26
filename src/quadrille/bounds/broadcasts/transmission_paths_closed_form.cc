// Transmission paths in closed form: what is left of the bound transmission_paths when its sum is estimated.
//
// With one port and R_d nodes at distance d >= 1 or more, a broadcast takes at least
//
//   2d-1 steps                            if R_d = 4^(d-1)
//   log2(4^(d-1) + R_d)                   if it is larger
//   d/2 + (d! (R_d - 1))^(1/(d+1))        if it is smaller
//
// It is never above transmission_paths, which needs no estimate; it is here because it can be written down.
// At d = 0 it would be wrong. Its value is irrational, and given rounded up, as steps are whole: exactly, in
// integers of any length, for d up to a thousand.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include <boost/multiprecision/cpp_int.hpp>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"

namespace quadrille::bounds {

extern const BoundCard transmission_paths_closed_form;

namespace transmission_paths_closed_form_parts {
namespace {

using boost::multiprecision::cpp_int;

constexpr size_t kMostDistance = 1000;

// Whether t steps are at least what the formula asks for; factorial is d!.
bool reached(uint64_t t, size_t d, uint64_t beyond, const cpp_int& factorial) {
  const cpp_int middle = cpp_int(1) << static_cast<unsigned>(2 * (d - 1));  // 4^(d-1)
  if (beyond == middle) return t + 1 >= 2 * d;
  if (beyond > middle) return (cpp_int(1) << static_cast<unsigned>(t)) >= middle + beyond;
  if (beyond == 1) return 2 * t >= d;
  if (2 * t <= d) return false;
  const auto power = static_cast<unsigned>(d + 1);
  return pow(cpp_int(2 * t - d), power) >= (factorial * (beyond - 1) << power);
}

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread || spread->fan_out != 1) return std::nullopt;
  const std::vector<uint64_t> beyond = spread->beyond(problem.topology());
  uint64_t steps = 0;
  size_t best = 0;
  cpp_int factorial = 1;
  for (size_t d = 1; d < beyond.size() && d <= kMostDistance; ++d) {
    factorial *= d;
    if (reached(steps, d, beyond[d], factorial)) continue;
    best = d;
    while (!reached(steps, d, beyond[d], factorial)) ++steps;
  }
  return Bound{transmission_paths_closed_form.name,
               Rational(static_cast<int64_t>(steps + spread->head_start)),
               fmt::format("{} endpoint{} at distance {} or more from {}, in the formula{}", beyond[best],
                           beyond[best] == 1 ? " is" : "s are", best, problem.topology().label(spread->root),
                           spread->head_start_text()),
               BoundOn::kSteps, InformedWitness{spread->root, static_cast<uint32_t>(best)}};
}

constexpr std::array<std::string_view, 1> kAliases = {"telling_paths_closed_form"};

}  // namespace
}  // namespace transmission_paths_closed_form_parts

constinit const BoundCard transmission_paths_closed_form = {
    .name = "transmission_paths_closed_form",
    .summary =
        "transmission_paths with its sum estimated by a formula in d and the nodes at distance d or more",
    .source = "collective communication dissertation 1996, corollary 3.4, for d >= 1",
    .aliases = transmission_paths_closed_form_parts::kAliases,
    .evaluate = transmission_paths_closed_form_parts::evaluate,
};

}  // namespace quadrille::bounds
