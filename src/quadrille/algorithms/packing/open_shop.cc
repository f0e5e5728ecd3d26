#include "quadrille/algorithms/packing/open_shop.h"

#include <algorithm>
#include <numeric>

namespace quadrille {

ShopPlan::ShopPlan(uint32_t num_slots, std::span<const Operation> operations, std::span<const uint32_t> slots)
    : begin_(size_t{num_slots} + 1, 0), operations_(operations.size()) {
  for (const uint32_t s : slots) ++begin_[s + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (size_t i = 0; i < operations.size(); ++i) operations_[next[slots[i]]++] = operations[i];
  for (uint32_t t = 0; t < num_slots; ++t) {
    std::sort(operations_.begin() + begin_[t], operations_.begin() + begin_[t + 1],
              [](const Operation& a, const Operation& b) { return a.machine < b.machine; });
  }
}

ShopPlan open_shop(uint32_t num_jobs, uint32_t num_machines, std::span<const Operation> operations) {
  std::vector<BipartiteEdge> edges;
  edges.reserve(operations.size());
  for (const Operation& o : operations) edges.push_back({o.job, o.machine});
  return {max_degree(num_jobs, num_machines, edges), operations,
          edge_colouring(num_jobs, num_machines, edges)};
}

}  // namespace quadrille
