#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "quadrille/base/check.h"

namespace quadrille {

void WormStep::add(uint32_t source, std::span<const int32_t> hops) {
  sources_.push_back(source);
  hops_.insert(hops_.end(), hops.begin(), hops.end());
}

WormPlan without_repeats(const GridShape& shape, uint32_t root, const WormPlan& plan) {
  constexpr uint32_t kNever = UINT32_MAX;
  std::vector<uint32_t> heard(shape.num_places(), kNever);  // in which step
  heard[root] = 0;
  WormPlan out;
  for (uint32_t s = 0; s < plan.size(); ++s) {
    WormStep kept(shape.dimensions());
    for (size_t w = 0; w < plan[s].size(); ++w) {
      const uint32_t from = plan[s].source(w);
      QUADRILLE_CHECK(heard[from] <= s, fmt::format("place {} sends in step {} and knows nothing", from, s));
      const uint32_t to = shape.moved(from, plan[s].hops(w));
      if (heard[to] != kNever) continue;
      heard[to] = s + 1;
      kept.add(from, plan[s].hops(w));
    }
    if (kept.size() > 0) out.push_back(std::move(kept));
  }
  return out;
}

bool is_minimal(const GridShape& shape, const WormPlan& plan) {
  for (const WormStep& step : plan) {
    for (size_t w = 0; w < step.size(); ++w) {
      for (size_t d = 0; d < shape.dimensions(); ++d) {
        if (shape.circular[d] && 2 * static_cast<uint32_t>(std::abs(step.hops(w)[d])) > shape.sides[d])
          return false;
      }
    }
  }
  return true;
}

WormPlan with_dimensions_reversed(const GridShape& shape, const WormPlan& plan) {
  GridShape reversed = shape;
  std::reverse(reversed.sides.begin(), reversed.sides.end());
  std::reverse(reversed.circular.begin(), reversed.circular.end());
  WormPlan out;
  for (const WormStep& step : plan) {
    WormStep turned(shape.dimensions());
    for (size_t w = 0; w < step.size(); ++w) {
      const std::vector<uint32_t> from = shape.coordinates(step.source(w));
      const std::vector<int64_t> at(from.rbegin(), from.rend());
      turned.add(reversed.place(at), std::vector<int32_t>(step.hops(w).rbegin(), step.hops(w).rend()));
    }
    out.push_back(std::move(turned));
  }
  return out;
}

}  // namespace quadrille
