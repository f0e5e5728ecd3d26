// Chapter 6 of the 1996 dissertation: what its formulas count, counted node by node, and the phases of its algorithm
// without queues one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/testing/stated.test.h"

namespace quadrille {
namespace dissertation_1996_fat_tree_counts_test {

// A tree by its links; leaves are the nodes with one.
using Tree = std::vector<std::vector<uint32_t>>;

Tree complete_tree(uint32_t k, uint32_t h) {
  Tree tree(1);
  std::vector<uint32_t> level = {0};
  for (uint32_t l = 0; l < h; ++l) {
    std::vector<uint32_t> next;
    for (const uint32_t parent : level) {
      for (uint32_t c = 0; c < k; ++c) {
        const auto child = static_cast<uint32_t>(tree.size());
        tree.push_back({parent});
        tree[parent].push_back(child);
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
  return tree;
}

// Nodes of the part with `to` that is left when its link to `from` is cut.
std::vector<uint32_t> part(const Tree& tree, uint32_t from, uint32_t to) {
  std::vector<std::pair<uint32_t, uint32_t>> stack = {{from, to}};
  std::vector<uint32_t> nodes;
  while (!stack.empty()) {
    const auto [before, at] = stack.back();
    stack.pop_back();
    nodes.push_back(at);
    for (const uint32_t next : tree[at])
      if (next != before) stack.emplace_back(at, next);
  }
  return nodes;
}

// Steps of a one-port broadcast from `to` in that part: children in the best order, the slowest first.
uint64_t broadcast_time(const Tree& tree, uint32_t from, uint32_t to) {
  std::vector<uint64_t> times;
  for (const uint32_t next : tree[to])
    if (next != from) times.push_back(broadcast_time(tree, to, next));
  std::ranges::sort(times, std::greater<>());
  uint64_t steps = 0;
  for (size_t i = 0; i < times.size(); ++i) steps = std::max(steps, i + 1 + times[i]);
  return steps;
}

TEST(DissertationClaims, theorem_6_3_counts_what_routers_must_send_in_any_multinode_broadcast) {
  for (uint32_t k = 2; k <= 5; ++k) {
    for (uint32_t h = 2; h <= (k == 2 ? 6 : k == 3 ? 4 : 3); ++h) {
      const Tree tree = complete_tree(k, h);
      uint64_t n = 0;
      for (const auto& links : tree) n += links.size() == 1 ? 1 : 0;
      uint64_t most = 0;
      for (uint32_t router = 0; router < tree.size(); ++router) {
        if (tree[router].size() == 1) continue;
        // Nothing to send before a leaf's message has come; each message to every side that lacks it, one a step; and
        // the last one must still be spread on its side.
        uint64_t before = UINT64_MAX;
        uint64_t after = UINT64_MAX;
        uint64_t sends = 0;
        for (const uint32_t side : tree[router]) {
          uint64_t leaves = 0;
          for (const uint32_t node : part(tree, router, side)) leaves += tree[node].size() == 1 ? 1 : 0;
          sends += n - leaves;
          after = std::min(after, broadcast_time(tree, router, side));
        }
        std::vector<std::pair<uint32_t, uint64_t>> queue = {{router, 0}};
        for (size_t at = 0; before == UINT64_MAX; ++at) {
          const auto [node, distance] = queue[at];
          if (tree[node].size() == 1) before = distance;
          for (const uint32_t next : tree[node]) queue.emplace_back(next, distance + 1);
        }
        most = std::max(most, before + sends + after);
      }
      EXPECT_EQ(most, stated(k * n + uint64_t{k + 1} * (h - 2) + 1)) << k << " " << h;
    }
  }
}

// A directed branch by the level and index of its lower end.
using Branch = std::tuple<bool, uint32_t, uint64_t>;

// The exchange between the k subtrees of every node of level l, as section 6.3.2.2 describes it: only k leaves of a
// subtree begin every k-1 steps. Every use of a branch is noted; the result is the last step.
uint64_t phase(uint32_t k, uint32_t l, uint32_t apexes, std::map<std::pair<Branch, uint64_t>, int>& used) {
  uint64_t batches = 1;
  for (uint32_t i = 1; i < l; ++i) batches *= k;
  uint64_t last = 0;
  std::vector<uint64_t> below = {1};
  for (uint32_t i = 1; i <= l; ++i) below.push_back(below.back() * k);
  for (uint64_t apex = 0; apex < apexes; ++apex) {
    for (uint64_t b = 0; b < batches; ++b) {
      for (uint32_t from = 0; from < k; ++from) {
        const uint64_t leaf = apex * below[l] + from * below[l - 1] + b;
        const uint64_t start = b * (k - 1) + 1;
        for (uint32_t level = 0; level < l; ++level)
          ++used[{{true, level, leaf / below[level]}, start + level}];
        for (uint32_t s = 1; s < k; ++s) {
          const uint32_t to = (from + k - s) % k;
          const uint64_t down = start + l - 1 + s;  // the apex sends it
          for (uint32_t level = l; level-- > 0;) {
            for (uint64_t x = 0; x < below[l - 1] / below[level]; ++x) {
              const uint64_t node = (apex * k + to) * (below[l - 1] / below[level]) + x;
              ++used[{{false, level, node}, down + (l - 1 - level)}];
            }
          }
          last = std::max(last, down + l - 1);
        }
      }
    }
  }
  return last;
}

TEST(DissertationClaims, the_phases_of_figure_6_10_take_n_plus_h_squared_minus_1_one_after_another) {
  for (uint32_t k = 2; k <= 5; ++k) {
    uint64_t n = k;
    for (uint32_t h = 1; n <= 256; ++h, n *= k) {
      uint64_t all = 0;
      uint64_t apexes = n / k;
      uint64_t batches = 1;
      for (uint32_t l = 1; l <= h; ++l, apexes /= k, batches *= k) {
        std::map<std::pair<Branch, uint64_t>, int> used;
        const uint64_t steps = phase(k, l, static_cast<uint32_t>(apexes), used);
        EXPECT_EQ(steps, stated((k - 1) * batches + 2 * l - 1)) << k << " " << l;
        for (const auto& [use, times] : used) ASSERT_EQ(times, 1) << "contention in step " << use.second;
        all += steps;
      }
      EXPECT_EQ(all, stated(n + h * h - 1)) << k << " " << h;
    }
  }
}

}  // namespace dissertation_1996_fat_tree_counts_test
}  // namespace quadrille
