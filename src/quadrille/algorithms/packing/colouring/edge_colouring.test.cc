#include "quadrille/algorithms/packing/colouring/edge_colouring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>

#include "quadrille/base/random.h"

namespace quadrille {
namespace edge_colouring_test {

// Empty when every colour is below the largest degree and differs from its neighbours'.
std::string flaw(uint32_t num_left, uint32_t num_right, const std::vector<BipartiteEdge>& edges) {
  const std::vector<uint32_t> colours = edge_colouring(num_left, num_right, edges);
  if (colours.size() != edges.size()) return "wrong number of colours";
  const uint32_t degree = max_degree(num_left, num_right, edges);
  std::set<std::pair<uint32_t, uint32_t>> left;
  std::set<std::pair<uint32_t, uint32_t>> right;
  for (size_t e = 0; e < edges.size(); ++e) {
    if (colours[e] >= degree) return fmt::format("colour {} of {}", colours[e], degree);
    if (!left.emplace(edges[e].left, colours[e]).second)
      return fmt::format("twice at left {}", edges[e].left);
    if (!right.emplace(edges[e].right, colours[e]).second)
      return fmt::format("twice at right {}", edges[e].right);
  }
  return "";
}

std::vector<BipartiteEdge> random_edges(uint32_t num_left, uint32_t num_right, size_t count, Rng& rng) {
  std::vector<BipartiteEdge> edges;
  for (size_t e = 0; e < count; ++e)
    edges.push_back(
        {static_cast<uint32_t>(rng.below(num_left)), static_cast<uint32_t>(rng.below(num_right))});
  return edges;
}

TEST(EdgeColouring, NoEdgesNeedNoColours) {
  EXPECT_TRUE(edge_colouring(3, 2, {}).empty());
  EXPECT_EQ(max_degree(3, 2, {}), 0U);
}

TEST(EdgeColouring, ParallelEdgesAllDiffer) {
  const std::vector<BipartiteEdge> edges(7, BipartiteEdge{0, 0});
  const std::vector<uint32_t> colours = edge_colouring(1, 1, edges);
  EXPECT_EQ(std::set<uint32_t>(colours.begin(), colours.end()).size(), 7U);
}

TEST(EdgeColouring, EveryDegreeOfACompleteBipartiteGraphWorks) {
  for (uint32_t n = 1; n <= 20; ++n) {
    std::vector<BipartiteEdge> edges;
    for (uint32_t a = 0; a < n; ++a) {
      for (uint32_t b = 0; b < n; ++b) edges.push_back({a, b});
    }
    EXPECT_EQ(flaw(n, n, edges), "") << n;
  }
}

RC_GTEST_PROP(EdgeColouring, IsProperOnRandomMultigraphs, ()) {
  const auto num_left = *rc::gen::inRange<uint32_t>(1, 40);
  const auto num_right = *rc::gen::inRange<uint32_t>(1, 12);
  const auto count = *rc::gen::inRange<size_t>(0, 300);
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const std::string found = flaw(num_left, num_right, random_edges(num_left, num_right, count, rng));
  RC_ASSERT(found.empty());
}

TEST(EdgeColouring, FewMachinesAndManyJobsAreColouredToo) {
  Rng rng(1);
  EXPECT_EQ(flaw(5000, 6, random_edges(5000, 6, 20000, rng)), "");
}

TEST(EdgeColouring, ManyEdgesAreColouredAlongPaths) {
  Rng rng(3);
  EXPECT_EQ(flaw(300, 200, random_edges(300, 200, 40000, rng)), "");
  EXPECT_EQ(flaw(2, 3000, random_edges(2, 3000, 40000, rng)), "");
  // Four links a node, with a hundred parallel edges each: where all have the largest degree paths get long.
  std::vector<BipartiteEdge> edges;
  std::vector<uint32_t> heads(100);
  for (uint32_t v = 0; v < heads.size(); ++v) heads[v] = v;
  for (uint32_t link = 0; link < 4; ++link) {
    rng.shuffle(heads);
    for (uint32_t v = 0; v < heads.size(); ++v) edges.insert(edges.end(), 100, {v, heads[v]});
  }
  rng.shuffle(edges);
  EXPECT_EQ(flaw(100, 100, edges), "");
}

TEST(EdgeColouring, IsTheSameTwice) {
  Rng rng(2);
  const std::vector<BipartiteEdge> edges = random_edges(50, 50, 2000, rng);
  EXPECT_EQ(edge_colouring(50, 50, edges), edge_colouring(50, 50, edges));
}

}  // namespace edge_colouring_test
}  // namespace quadrille
