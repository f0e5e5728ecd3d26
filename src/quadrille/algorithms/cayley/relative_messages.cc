#include "quadrille/algorithms/cayley/relative_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace quadrille {

// Breadth first from the identity by multiplication from the left.
RelativeMessages::RelativeMessages(const CayleyStructure& cayley)
    : length(cayley.group->order(), 0), generator(length.size(), 0), rest(length.size(), 0) {
  std::vector<uint32_t> queue{0};
  queue.reserve(length.size());
  for (size_t i = 0; i < queue.size(); ++i) {
    for (uint32_t k = 0; k < cayley.generators.size(); ++k) {
      const uint32_t r = cayley.group->multiply(cayley.generators[k], queue[i]);
      if (r == 0 || length[r] != 0) continue;
      length[r] = length[queue[i]] + 1;
      generator[r] = k;
      rest[r] = queue[i];
      queue.push_back(r);
    }
  }
}

Applicability relative_messages_apply(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.is_outline())
    return Applicability::no("it looks at every displacement, and these are as many as nodes");
  const CayleyStructure* cayley = topology.cayley();
  if (cayley == nullptr) {
    return Applicability::no(
        fmt::format("it needs a Cayley graph; no group is known for {}", topology.name()));
  }
  if (topology.has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  }
  if (problem.model().duplex == Duplex::kHalf) {
    for (size_t k = 0; k < cayley->generators.size(); ++k) {
      if (cayley->inverses[k] != k) continue;
      return Applicability::no(
          fmt::format("half duplex: generator {} of {} is its own inverse, so its links would be used both "
                      "ways in one step",
                      cayley->group->element_text(cayley->generators[k]), topology.name()));
    }
  }
  return Applicability::yes();
}

RelativeMessages relative_messages(const Problem& problem) {
  return RelativeMessages(*problem.topology().cayley());
}

Prediction relative_messages_prediction(const Problem& problem, const RelativeMessages& table) {
  std::vector<uint64_t> uses(problem.topology().cayley()->generators.size(), 0);
  // From the longest on, what passes is passed on.
  std::vector<uint32_t> order(table.length.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return table.length[a] > table.length[b]; });
  std::vector<uint64_t> passing(table.length.size(), 1);
  for (const uint32_t r : order) {
    if (r == 0) continue;
    uses[table.generator[r]] += passing[r];
    passing[table.rest[r]] += passing[r];
  }
  uint64_t status = 0;
  for (const uint32_t length : table.length) status += length;
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t busiest = uses.empty() ? 0 : *std::max_element(uses.begin(), uses.end());
  return {.steps = pieces * status, .start_ups = pieces * status, .busiest_link = pieces * busiest};
}

}  // namespace quadrille
