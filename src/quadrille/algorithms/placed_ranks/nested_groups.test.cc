#include "quadrille/algorithms/placed_ranks/nested_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "quadrille/algorithms/placed_ranks/rank_sides.h"
#include "quadrille/algorithms/placed_ranks/routed/shared_round.h"
#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

const std::vector<std::string> kNetworks{"mesh(5,7)",
                                         "torus(4,8)",
                                         "hypercube(5)",
                                         "mesh(2,3,4)",
                                         "ring(11)",
                                         "star(4)",
                                         "complete(6)",
                                         "hyperx(3,4)",
                                         "random_regular(20,3;1)",
                                         "dragonfly(2,2,1)",
                                         "line(2)",
                                         "complete(1)",
                                         "product(star(3),ring(5))"};

TEST(NestedGroups, EveryRankIsInOneGroupAtOneOfItsPlaces) {
  for (const std::string& spec : kNetworks) {
    const Topology net = parse_topology(spec);
    const uint32_t ranks = net.num_endpoints();
    const NestedGroups nested(net, sides_of(net));
    for (uint32_t count = 1; count <= 4; ++count) {
      for (uint32_t klass = 0; klass < nested.classes(); ++klass) {
        const std::vector<GroupLevel> levels = nested.levels(count, klass);
        ASSERT_EQ(levels.size(), count);
        for (const GroupLevel& level : levels) {
          std::vector<std::set<uint32_t>> members(level.groups);
          for (uint32_t v = 0; v < ranks; ++v) {
            members[level.group_of[v]].insert(v);
            EXPECT_EQ(level.member(level.group_of[v], level.place_of[v]), v) << spec;
          }
          size_t largest = 0;
          for (uint32_t g = 0; g < level.groups; ++g) {
            EXPECT_FALSE(members[g].empty());
            largest = std::max(largest, members[g].size());
            std::set<uint32_t> named;
            for (uint32_t p = 0; p < level.places; ++p) named.insert(level.member(g, p));
            EXPECT_EQ(named, members[g]) << spec;
          }
          EXPECT_LE(largest, level.places);
        }
        EXPECT_EQ(levels.back().groups, ranks) << spec << ": at the end ranks are alone";
      }
    }
  }
}

TEST(NestedGroups, ClassesCutAnotherDimensionFirst) {
  const Topology net = parse_topology("hypercube(6)");
  const NestedGroups nested(net, sides_of(net));
  ASSERT_EQ(nested.classes(), 6U);
  const GroupLevel first = nested.levels(2, 0).front();
  const GroupLevel second = nested.levels(2, 1).front();
  EXPECT_EQ(first.groups, second.groups);
  EXPECT_NE(first.group_of, second.group_of);
}

TEST(NestedGroups, FallIntoPartsOfNearlyTheSameSize) {
  for (const std::string& spec : kNetworks) {
    const Topology net = parse_topology(spec);
    const NestedGroups nested(net, sides_of(net));
    for (uint32_t parts = 2; parts <= 5; ++parts) {
      NestedGroups::Group all(net.num_endpoints());
      std::iota(all.begin(), all.end(), 0U);
      std::multiset<uint32_t> together;
      const std::vector<NestedGroups::Group> apart = nested.parts_of(all, parts);
      EXPECT_LE(apart.size(), parts) << spec;
      EXPECT_GE(apart.size(), std::min<size_t>(all.size(), 2)) << spec;
      for (const NestedGroups::Group& part : apart) {
        EXPECT_FALSE(part.empty()) << spec;
        EXPECT_LE(part.size(), (all.size() + 1) / 2 + all.size() / 4) << spec;
        together.insert(part.begin(), part.end());
      }
      EXPECT_EQ(together, std::multiset<uint32_t>(all.begin(), all.end())) << spec;
    }
  }
}

// Blocks, holders and those who want them, by chance.
struct Question {
  std::vector<std::vector<uint32_t>> holders;
  std::vector<std::vector<uint32_t>> wanting;

  Question(uint32_t ranks, uint32_t blocks, Rng& rng) : holders(blocks), wanting(blocks) {
    for (uint32_t b = 0; b < blocks; ++b) {
      const auto sure = static_cast<uint32_t>(rng.below(ranks));
      for (uint32_t v = 0; v < ranks; ++v) {
        if (v == sure || rng.below(4) == 0)
          holders[b].push_back(v);
        else if (rng.below(2) == 0)
          wanting[b].push_back(v);
      }
    }
  }
  [[nodiscard]] std::vector<SharedRound::Spread> spreads() const {
    std::vector<SharedRound::Spread> out;
    for (uint32_t b = 0; b < holders.size(); ++b) out.push_back({b, holders[b], wanting[b]});
    return out;
  }
};

TEST(SharedRound, BringsEveryBlockOnceFromWhoHasIt) {
  Rng rng(7);
  for (const std::string& spec : kNetworks) {
    const Topology net = parse_topology(spec);
    const Question asked(net.num_endpoints(), 2 * net.num_endpoints(), rng);
    const SharedRound round(net, asked.spreads());
    std::vector<std::multiset<uint32_t>> got(asked.holders.size());
    std::vector<uint64_t> carried(net.num_arcs(), 0);
    std::set<std::vector<ArcId>> ways;
    uint64_t longest = 0;
    for (size_t m = 0; m < round.num_messages(); ++m) {
      const std::span<const ArcId> path = round.path(m);
      ASSERT_FALSE(path.empty());
      EXPECT_TRUE(ways.emplace(path.begin(), path.end()).second) << "one message a way";
      longest = std::max<uint64_t>(longest, path.size());
      for (size_t i = 0; i + 1 < path.size(); ++i) EXPECT_EQ(net.head(path[i]), net.tail(path[i + 1]));
      const auto from = static_cast<uint32_t>(index(net.rank(net.tail(path.front())).value()));
      const auto to = static_cast<uint32_t>(index(net.rank(net.head(path.back())).value()));
      for (const uint32_t block : round.blocks(m)) {
        EXPECT_EQ(std::ranges::count(asked.holders[block], from), 1) << spec;
        got[block].insert(to);
      }
      for (const ArcId arc : path) carried[index(arc)] += round.blocks(m).size();
    }
    for (size_t b = 0; b < got.size(); ++b)
      EXPECT_EQ(got[b], std::multiset<uint32_t>(asked.wanting[b].begin(), asked.wanting[b].end())) << spec;
    uint64_t busiest = 0;
    for (const ArcId arc : net.arcs())
      busiest = std::max(busiest, (carried[index(arc)] + net.capacity(arc) - 1) / net.capacity(arc));
    EXPECT_EQ(round.busiest(), busiest) << spec;
    EXPECT_EQ(round.longest(), longest) << spec;
  }
}

TEST(SharedRound, LeavesFullLinksForOthersThatAreAsNear) {
  // Both ways round a ring of four are two hops.
  const Topology net = parse_topology("ring(4)");
  const std::vector<uint32_t> here{0};
  const std::vector<uint32_t> there{2};
  const std::vector<SharedRound::Spread> spreads(8, {0, here, there});
  EXPECT_EQ(SharedRound(net, spreads).busiest(), 4U);
}

TEST(SharedRound, WideLinksCarryMore) {
  const Topology net = parse_topology("edges(\"0 1 3, 1 3 3, 0 2, 2 3\")");
  const std::vector<uint32_t> here{0};
  const std::vector<uint32_t> there{3};
  const std::vector<SharedRound::Spread> spreads(16, {0, here, there});
  EXPECT_EQ(SharedRound(net, spreads).busiest(), 4U) << "three quarters over links of three";
}

}  // namespace
}  // namespace quadrille
