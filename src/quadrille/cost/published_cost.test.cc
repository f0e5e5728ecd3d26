#include "quadrille/cost/published_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

using ::testing::HasSubstr;

Problem worms_on(std::string_view spec) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

CostParts cost(std::string_view name, std::string_view spec) {
  const PublishedCost* card = find_published_cost(name);
  EXPECT_NE(card, nullptr) << name;
  const Problem problem = worms_on(spec);
  EXPECT_EQ(card->refuses(problem), std::nullopt) << name << " on " << spec;
  return card->cost(problem);
}

TEST(PublishedCost, CardsAreSortedAndNoneIsAnAlgorithm) {
  EXPECT_TRUE(std::ranges::is_sorted(published_costs(), {}, &PublishedCost::name));
  for (const PublishedCost* card : published_costs()) {
    EXPECT_EQ(find_algorithm(card->name), nullptr) << card->name;
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

TEST(PublishedCost, SaysWhereItsFormulaDoesNotHold) {
  const PublishedCost& torus = *find_published_cost("alltoall_t2d1");
  EXPECT_THAT(torus.refuses(worms_on("mesh(16,16)")).value(), HasSubstr("mesh(16,16) is none"));
  EXPECT_THAT(torus.refuses(worms_on("torus(8,8)")).value(), HasSubstr("d >= 4"));
  EXPECT_THAT(torus.refuses(worms_on("torus(16,16,16)")).value(), HasSubstr("2-dimensional tori"));
  EXPECT_THAT(find_published_cost("alltoall_sundar")->refuses(worms_on("mesh(6,6)")).value(),
              HasSubstr("equal sides 2^d"));
  const Problem packets = standard_problem(parse_topology("torus(16,16)"), CollectiveKind::kAlltoall);
  EXPECT_EQ(torus.refuses(packets), "it is for worms");
}

TEST(PublishedCost, TimeAddsUpWhatIsKnown) {
  const CostConstants constants{.ts = 10, .tx = 0.5, .tl = 0, .rho = 0.25};
  EXPECT_DOUBLE_EQ((CostParts{3, 8, 4}).time(constants, 2), 30 + 8 + 2);
  EXPECT_DOUBLE_EQ((CostParts{3}).time(constants, 2), 30);
  EXPECT_EQ((CostParts{21, 1336, 128}).to_text(),
            "21 start-ups, 1,336 critical blocks, 128 blocks rearranged");
}

}  // namespace
}  // namespace quadrille
