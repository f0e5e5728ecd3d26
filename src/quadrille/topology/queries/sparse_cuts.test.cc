#include "quadrille/topology/queries/sparse_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"

namespace quadrille {
namespace {

// Of a total exchange.
CutSearch exchange(const Topology& net) {
  CutSearch search;
  search.worth = [&net](uint32_t inside, bool, const CutCapacity& across) {
    const double pairs = static_cast<double>(inside) * (net.num_endpoints() - inside);
    return pairs / static_cast<double>(std::max<uint64_t>(1, std::min(across.out, across.in)));
  };
  return search;
}

double worth_of(const Topology& net, const CutSearch& search, const Cut& cut) {
  uint32_t inside = 0;
  for (const NodeId v : net.endpoints()) inside += cut.side[index(v)] != 0 ? 1 : 0;
  const bool marked = search.marked != kNoNode && cut.side[index(search.marked)] != 0;
  return search.worth(inside, marked, capacity_across(net, cut));
}

double best_found(const Topology& net, const CutSearch& search) {
  double best = 0;
  for_each_sparse_cut(net, search, [&](const Cut& cut) {
    EXPECT_TRUE(std::ranges::find(cut.side, 0) != cut.side.end());
    EXPECT_TRUE(std::ranges::find(cut.side, 1) != cut.side.end());
    EXPECT_FALSE(cut.description.empty());
    best = std::max(best, worth_of(net, search, cut));
  });
  return best;
}

// Of all cuts.
double best_of_all(const Topology& net, const CutSearch& search) {
  double best = 0;
  for (uint32_t set = 1; set + 1 < uint32_t{1} << net.num_nodes(); ++set) {
    Cut cut{"some", std::vector<char>(net.num_nodes(), 0)};
    for (uint32_t v = 0; v < net.num_nodes(); ++v) cut.side[v] = static_cast<char>(set >> v & 1U);
    best = std::max(best, worth_of(net, search, cut));
  }
  return best;
}

TEST(SparseCuts, OfSmallNetworksAreTheBest) {
  Rng rng(9);
  int found = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const auto size = 3 + static_cast<uint32_t>(rng.below(7));
    const Topology net = rng.below(4) == 0 ? testing::random_directed_topology(rng, size, false)
                                           : testing::random_topology(rng, size, rng.below(3) == 0);
    const double best = best_of_all(net, exchange(net));
    const double here = best_found(net, exchange(net));
    EXPECT_LE(here, best);
    found += here == best ? 1 : 0;
  }
  EXPECT_GE(found, kRounds * 9 / 10) << "a search that finds little would pass, too";
}

TEST(SparseCuts, KnowWhereTheMarkedNodeIs) {
  // A scatter from the end of a line: everything must leave the root.
  const Topology line = parse_topology("line(6)");
  CutSearch search;
  search.marked = NodeId{0};
  search.worth = [](uint32_t inside, bool marked, const CutCapacity& across) {
    return static_cast<double>(marked ? 6 - inside : inside) / static_cast<double>(across.out);
  };
  EXPECT_EQ(best_found(line, search), 5.0);
}

TEST(SparseCuts, OfOneNodeThereAreNone) {
  const Topology one = parse_topology("line(1)");
  for_each_sparse_cut(one, exchange(one), [](const Cut&) { ADD_FAILURE(); });
  const Topology two = parse_topology("line(2)");
  EXPECT_EQ(best_found(two, exchange(two)), 1.0);
}

}  // namespace
}  // namespace quadrille
