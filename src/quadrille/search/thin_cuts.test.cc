#include "quadrille/search/thin_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace thin_cuts_test {

// Points of a square, linked where they are near each other, and each to the nearest one on its left.
Topology near_points(uint32_t nodes, int64_t reach, uint64_t seed) {
  Rng rng(seed);
  std::vector<std::pair<int64_t, int64_t>> at;
  for (uint32_t v = 0; v < nodes; ++v)
    at.emplace_back(static_cast<int64_t>(rng.below(1000)), static_cast<int64_t>(rng.below(1000)));
  std::ranges::sort(at);
  const auto apart = [&](uint32_t v, uint32_t w) {
    const int64_t x = at[v].first - at[w].first;
    const int64_t y = at[v].second - at[w].second;
    return x * x + y * y;
  };
  std::string links;
  for (uint32_t v = 1; v < nodes; ++v) {
    uint32_t nearest = 0;
    for (uint32_t w = 0; w < v; ++w)
      if (apart(v, w) < apart(v, nearest)) nearest = w;
    for (uint32_t w = 0; w < v; ++w) {
      if (w != nearest && apart(v, w) > reach * reach) continue;
      links += (links.empty() ? "" : ", ") + std::to_string(v) + " " + std::to_string(w);
    }
  }
  return parse_topology("edges(\"" + links + "\")");
}

CutSearch exchange(const Topology& net) {
  return {.worth = [&net](uint32_t inside, bool, const CutCapacity& across) {
    const double pairs = static_cast<double>(inside) * (net.num_endpoints() - inside);
    return pairs / static_cast<double>(std::max<uint64_t>(1, std::min(across.out, across.in)));
  }};
}

double worth_of(const Topology& net, const CutSearch& search, const std::vector<char>& side) {
  uint32_t inside = 0;
  for (const NodeId v : net.endpoints()) inside += side[index(v)] != 0 ? 1 : 0;
  return search.worth(inside, false, capacity_across(net, side));
}

double best_of(const Topology& net, bool thin) {
  const CutSearch search = exchange(net);
  double best = 0;
  (thin ? for_each_thin_cut : for_each_sparse_cut)(net, search, [&](const Cut& cut) {
    EXPECT_NE(std::ranges::count(cut.side, 0), 0);
    EXPECT_NE(std::ranges::count(cut.side, 1), 0);
    EXPECT_FALSE(cut.description.empty());
    best = std::max(best, worth_of(net, search, cut.side));
  });
  return best;
}

// Two squares of nine that one link joins at a corner; the given cut goes through the middle of one of them.
TEST(ThinCuts, FindsTheLinkBetweenTwoSquares) {
  const Topology net = parse_topology(
      "edges(\"0 1, 1 2, 3 4, 4 5, 6 7, 7 8, 0 3, 3 6, 1 4, 4 7, 2 5, 5 8, 8 9, "
      "9 10, 10 11, 12 13, 13 14, 15 16, 16 17, 9 12, 12 15, 10 13, 13 16, 11 14, 14 17\")");
  std::vector<char> side(net.num_nodes(), 0);
  for (const NodeId v : net.nodes()) side[index(v)] = net.label(v) <= "3" && net.label(v).size() == 1 ? 1 : 0;
  const std::optional<std::vector<char>> found = thinner_cut(net, side, {0.1, 0.1});
  ASSERT_TRUE(found);
  EXPECT_EQ(capacity_across(net, *found).out, 1U);
  EXPECT_EQ(std::ranges::count(*found, 1), 9);
  EXPECT_FALSE(thinner_cut(net, *found, {0.1, 0.1})) << "there is none that is thinner";
}

// By all cuts between the cores, which are one node each: the farthest ones.
TEST(ThinCuts, IsTheThinnestBetweenItsCores) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Topology net = near_points(10, 350, seed);
    std::vector<char> side(net.num_nodes(), 0);
    for (size_t v = 0; v < 5; ++v) side[v] = 1;
    const uint64_t before = capacity_across(net, side).out;
    const std::optional<std::vector<char>> found = thinner_cut(net, side, {0, 0});
    if (!found) continue;
    const uint64_t now = capacity_across(net, *found).out;
    EXPECT_LT(now, before) << seed;
    // Some pair of nodes, one of either side before, has no thinner cut between them.
    bool is_thinnest = false;
    for (size_t a = 0; a < 5; ++a) {
      for (size_t b = 5; b < 10; ++b) {
        if ((*found)[a] == 0 || (*found)[b] != 0) continue;
        uint64_t least = UINT64_MAX;
        for (uint32_t set = 0; set < 1024; ++set) {
          if ((set >> a & 1U) == 0 || (set >> b & 1U) != 0) continue;
          std::vector<char> other(10, 0);
          for (size_t v = 0; v < 10; ++v) other[v] = static_cast<char>(set >> v & 1U);
          least = std::min(least, capacity_across(net, other).out);
        }
        is_thinnest = is_thinnest || least == now;
      }
    }
    EXPECT_TRUE(is_thinnest) << seed;
  }
}

TEST(ThinCuts, AreWorthNoLessThanSparseOnesAndOftenMore) {
  int more = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const Topology net = near_points(250, 90, seed);
    const double thin = best_of(net, true);
    const double sparse = best_of(net, false);
    EXPECT_GE(thin, sparse) << seed;
    more += thin > sparse ? 1 : 0;
  }
  EXPECT_GE(more, 1);
}

TEST(ThinCuts, TakesAnyNetwork) {
  for (const char* spec :
       {"line(1)", "line(2)", "complete(5)", "kautz(2,3)", "fat_tree(2^3)", "torus(4,4)"}) {
    const Topology net = parse_topology(spec);
    EXPECT_GE(best_of(net, true), best_of(net, false)) << spec;
  }
}

}  // namespace thin_cuts_test
}  // namespace quadrille
