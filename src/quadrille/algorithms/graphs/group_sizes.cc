#include "quadrille/algorithms/graphs/group_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace quadrille {
namespace {

// Sizes of balls: each this part of the next.
constexpr double kNextSize = 0.85;

// Along a side: all of it, a half, a third, .. of that, and what divides it.
std::vector<uint32_t> lengths_of(uint32_t side) {
  std::set<uint32_t, std::greater<>> out{1, side};
  for (uint32_t length = 2; length < side; ++length)
    if (side % length == 0) out.insert(length);
  for (uint32_t parts = 2; parts <= 3; ++parts)
    for (uint32_t length = side; length > 1;) out.insert(length = (length + parts - 1) / parts);
  return {out.begin(), out.end()};
}

}  // namespace

void GroupSizes::add(Size size, double groups, double spread) {
  sizes_.push_back(std::move(size));
  groups_.push_back(groups);
  spread_.push_back(spread);
}

GroupSizes GroupSizes::boxes(std::span<const uint32_t> sides,
                             const std::function<double(size_t, uint32_t)>& spread) {
  GroupSizes out;
  Size size;
  const std::function<void(double, double)> from = [&](double groups, double sum) {
    const size_t d = size.size();
    if (d == sides.size()) return out.add(size, groups, sum);
    for (const uint32_t length : lengths_of(sides[d])) {
      if (d > 0 && sides[d] == sides[d - 1] && length > size.back()) continue;
      size.push_back(length);
      const uint32_t parts = (sides[d] + length - 1) / length;
      from(groups * parts, sum + spread(d, length));
      size.pop_back();
    }
  };
  from(1, 0);
  return out;
}

GroupSizes GroupSizes::balls(std::span<const double> spread) {
  GroupSizes out;
  const auto ranks = static_cast<uint32_t>(spread.size() - 1);
  for (uint32_t size = ranks;;
       size = std::max(1U, std::min(size - 1, static_cast<uint32_t>(size * kNextSize)))) {
    out.add({size}, std::round(static_cast<double>(ranks) / size), spread[size]);
    if (size <= 1) return out;
  }
}

GroupSizes::Chain GroupSizes::best(uint32_t levels) const {
  const size_t all = sizes_.size();
  const auto lies_in = [&](size_t inner, size_t outer) {
    for (size_t d = 0; d < sizes_[inner].size(); ++d)
      if (sizes_[inner][d] > sizes_[outer][d]) return false;
    return true;
  };
  // least[k][i]: hops of k levels from groups of sizes_[i] to single ranks.
  std::vector<std::vector<double>> least(levels + size_t{1},
                                         std::vector<double>(all, std::numeric_limits<double>::infinity()));
  std::vector<std::vector<size_t>> next(levels + size_t{1}, std::vector<size_t>(all, all - 1));
  least[0][all - 1] = 0;
  for (uint32_t k = 1; k <= levels; ++k) {
    for (size_t outer = 0; outer < all; ++outer) {
      for (size_t inner = outer; inner < all; ++inner) {
        if (!lies_in(inner, outer)) continue;
        const double hops = (groups_[inner] - groups_[outer]) * spread_[outer] + least[k - 1][inner];
        if (hops >= least[k][outer]) continue;
        least[k][outer] = hops;
        next[k][outer] = inner;
      }
    }
  }
  Chain out{least[levels][0], {}};
  for (size_t k = levels, at = 0; k > 0; --k) out.sizes.push_back(sizes_[at = next[k][at]]);
  return out;
}

}  // namespace quadrille
