#include "quadrille/cost/published_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace published_cost_test {

using ::testing::HasSubstr;

CostParts cost(std::string_view name, std::string_view spec) {
  const PublishedCost* card = published_costs().find(name);
  EXPECT_NE(card, nullptr) << name;
  const Problem problem = worms_on(spec);
  EXPECT_EQ(card->refuses(problem), std::nullopt) << name << " on " << spec;
  return card->cost(problem);
}

TEST(PublishedCost, CardsAreSortedAndNoneIsAnAlgorithm) {
  EXPECT_TRUE(std::ranges::is_sorted(published_costs(), {}, &PublishedCost::name));
  for (const PublishedCost* card : published_costs()) {
    EXPECT_EQ(algorithm_catalog().find(card->name), nullptr) << card->name;
    EXPECT_FALSE(card->summary.empty() || card->source.empty() || card->formula.empty()) << card->name;
  }
}

TEST(PublishedCost, ToriAreAsTabled) {
  EXPECT_EQ(cost("alltoall_t2d1", "torus(16,16)"), (CostParts{9, 2176}));
  EXPECT_EQ(cost("alltoall_t2d2", "torus(16,16)"), (CostParts{12, 1536}));
  EXPECT_EQ(cost("alltoall_t3d1", "torus(8,8,8)"), (CostParts{10, 4608}));
  EXPECT_EQ(cost("alltoall_t3d2", "torus(16,16,16)"), (CostParts{16, 32768}));
}

TEST(PublishedCost, MeshesAreAsTabledWithTheirRearrangements) {
  EXPECT_EQ(cost("alltoall_bokhari_berryman", "mesh(8,8)"), (CostParts{21, 336, 128}));
  EXPECT_EQ(cost("alltoall_sundar", "mesh(8,8)"), (CostParts{8, 256, 128}));
}

// Steps of a broadcast with all ports, by a card; 0 where it refuses.
uint64_t broadcast_steps(std::string_view name, std::string_view spec, Routing routing = Routing::kAny) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = routing;
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model);
  const PublishedCost* card = published_costs().find(name);
  EXPECT_NE(card, nullptr) << name;
  return card->refuses(problem) ? 0 : card->cost(problem).start_ups;
}

TEST(PublishedCost, BroadcastsOnAllPortToriAreAsPublished) {
  EXPECT_EQ(broadcast_steps("broadcast_tsai_mckinley", "torus(32,32)"), 5U);
  const std::vector<std::pair<std::string_view, uint64_t>> cubes = {{"torus(4,4,4)", 3},
                                                                    {"torus(8,8,8)", 5},
                                                                    {"torus(16,16,16)", 6},
                                                                    {"torus(32,32,32)", 7},
                                                                    {"torus(64,64,64)", 9}};
  for (const auto& cube : cubes)
    EXPECT_EQ(broadcast_steps("broadcast_tsai_mckinley", cube.first), cube.second);
  EXPECT_EQ(broadcast_steps("broadcast_park", "torus(7,7,7)"), 3U);
  EXPECT_EQ(broadcast_steps("broadcast_park", "torus(8,8,8)"), 0U);
  EXPECT_EQ(broadcast_steps("broadcast_park", "torus(7,7,7)", Routing::kDimensionOrder), 0U);
  EXPECT_EQ(broadcast_steps("broadcast_peters_syska", "torus(25,25)"), 4U);
  EXPECT_EQ(broadcast_steps("broadcast_peters_syska", "torus(50,50)"), 5U);
  EXPECT_EQ(broadcast_steps("broadcast_tsay_wang", "torus(25,25)"), 5U);
  EXPECT_EQ(broadcast_steps("broadcast_tsay_wang", "torus(26,26)", Routing::kDimensionOrder), 6U);
}

TEST(PublishedCost, SaysWhereItsFormulaDoesNotHold) {
  const PublishedCost& torus = *published_costs().find("alltoall_t2d1");
  EXPECT_THAT(torus.refuses(worms_on("mesh(16,16)")).value(), HasSubstr("mesh(16,16) is none"));
  EXPECT_THAT(torus.refuses(worms_on("torus(8,8)")).value(), HasSubstr("d >= 4"));
  EXPECT_THAT(torus.refuses(worms_on("torus(16,16,16)")).value(), HasSubstr("2-dimensional tori"));
  EXPECT_THAT(published_costs().find("alltoall_sundar")->refuses(worms_on("mesh(6,6)")).value(),
              HasSubstr("equal sides 2^d"));
  const Problem packets = standard_problem(parse_topology("torus(16,16)"), CollectiveKind::kAlltoall);
  EXPECT_EQ(torus.refuses(packets), "it is for worms");
}

TEST(PublishedCost, TimeAddsUpWhatIsKnown) {
  const CostConstants constants{.ts = 10, .tx = 0.5, .tl = 0, .rho = 0.25};
  EXPECT_DOUBLE_EQ((CostParts{3, 8, 4}).time(constants, 2), 30 + 8 + 2);
  EXPECT_DOUBLE_EQ((CostParts{3}).time(constants, 2), 30);
  EXPECT_EQ((CostParts{21, 1336, 128}).to_text(),
            "21 start-ups, 1,336 blocks on the critical path, 128 blocks rearranged");
}

}  // namespace published_cost_test
}  // namespace quadrille
