#include "quadrille/algorithms/graphs/even_order.h"

#include <algorithm>
#include <numeric>

namespace quadrille {
namespace even_order_parts {
namespace {

constexpr uint64_t kMostWork = uint64_t{1} << 26U;  // links looked at
constexpr uint64_t kMostWeight = 1'024;
constexpr size_t kFewest = 4;  // of which the next one is chosen, however many there are

// By link, 0 to kMostWeight: the square of what it has to do, in steps, as a share of the most.
std::vector<int64_t> weights_of(const std::vector<int64_t>& total, const CarriedAStep& carried) {
  double most = 0;
  for (size_t i = 0; i < total.size(); ++i) most = std::max(most, double(total[i]) / carried[i]);
  std::vector<int64_t> out(total.size(), 0);
  for (size_t i = 0; i < total.size() && most > 0; ++i) {
    const double share = double(total[i]) / carried[i] / most;
    out[i] = static_cast<int64_t>(share * share * kMostWeight) / carried[i];
  }
  return out;
}

}  // namespace
}  // namespace even_order_parts

std::vector<uint32_t> even_order(std::span<const std::vector<uint32_t>> uses, const CarriedAStep& carried) {
  namespace parts = even_order_parts;
  const size_t items = uses.size();
  std::vector<int64_t> total(carried.size(), 0);
  uint64_t entries = 0;
  for (const std::vector<uint32_t>& item : uses) {
    entries += item.size();
    for (const uint32_t i : item) ++total[i];
  }
  const std::vector<int64_t> weight = parts::weights_of(total, carried);
  const size_t looked_at =
      std::max<size_t>(parts::kFewest, parts::kMostWork / std::max<uint64_t>(entries, 1));

  // How far a link is before what it would have to do, in parts of an item: `items` times what is used, less what all use by then.
  std::vector<int64_t> ahead(carried.size(), 0);
  std::vector<uint32_t> left(items);
  std::iota(left.begin(), left.end(), 0U);
  std::vector<uint32_t> out;
  out.reserve(items);
  size_t next = 0;  // of those left, where to begin: all have their turn if not all are looked at
  while (!left.empty()) {
    for (size_t i = 0; i < ahead.size(); ++i) ahead[i] -= total[i];
    size_t best = left.size();
    int64_t least = 0;
    const size_t tries = std::min(left.size(), looked_at);
    for (size_t j = 0; j < tries; ++j) {
      const size_t at = (next + j) % left.size();
      int64_t cost = 0;
      for (const uint32_t i : uses[left[at]])
        cost += weight[i] * (2 * ahead[i] + static_cast<int64_t>(items));
      if (best < left.size() && cost >= least) continue;
      best = at;
      least = cost;
    }
    for (const uint32_t i : uses[left[best]]) ahead[i] += static_cast<int64_t>(items);
    out.push_back(left[best]);
    left.erase(left.begin() + static_cast<ptrdiff_t>(best));
    next = tries < left.size() ? (next + tries) % left.size() : 0;
  }
  return out;
}

}  // namespace quadrille
