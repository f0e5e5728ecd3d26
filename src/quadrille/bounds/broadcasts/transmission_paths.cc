// Transmission paths: whoever is d or more hops from the root is informed over a path of d or more transfers,
// and there are only so many of these in t steps (dissemination.h).
//
// With one port, R_d nodes at distance d or more need t steps with C(t,d) + .. + C(t,t) >= R_d. The distance
// to the farthest node, one step more if two nodes are that far, and log2 n are special cases.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"

namespace quadrille::bounds {

extern const BoundCard transmission_paths;

namespace transmission_paths_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread) return std::nullopt;
  const std::vector<uint64_t> beyond = spread->beyond(problem.topology());
  uint64_t steps = 0;
  size_t best = 1;
  for (size_t d = 1; d < beyond.size(); ++d) {  // d = 0 says the same as d = 1
    const auto too_few = [&] {
      return informed_over_paths_from(spread->fan_out, d, steps, beyond[d]) < beyond[d];
    };
    if (!too_few()) continue;
    best = d;
    while (too_few()) ++steps;
  }
  return Bound{
      transmission_paths.name, Rational(static_cast<int64_t>(steps + spread->head_start)),
      fmt::format("{} endpoint{} at distance {} or more from {}, and {} step{} can {} {} over paths of that "
                  "length{}",
                  beyond[best], beyond[best] == 1 ? " is" : "s are", best,
                  problem.topology().label(spread->root), steps - 1, steps == 2 ? "" : "s", spread->verb(),
                  informed_over_paths_from(spread->fan_out, best, steps - 1, beyond[best]),
                  spread->head_start_text()),
      BoundOn::kSteps, InformedWitness{spread->root, static_cast<uint32_t>(best)}};
}

constexpr std::array<std::string_view, 1> kAliases = {"telling_paths"};

}  // namespace
}  // namespace transmission_paths_parts

constinit const BoundCard transmission_paths = {
    .name = "transmission_paths",
    .summary = "nodes at distance d or more, over the paths of length d or more that fit into the steps",
    .source =
        "collective communication dissertation 1996, theorem 3.3; several ports and reductions are ours",
    .aliases = transmission_paths_parts::kAliases,
    .knows_outlines = true,
    .evaluate = transmission_paths_parts::evaluate,
};

}  // namespace quadrille::bounds
