#include "quadrille/algorithms/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

Model one_port() {
  Model model;
  model.send = kOnePort;
  model.receive = kOnePort;
  return model;
}

TEST(AlgorithmCatalog, IsSortedAndEveryCardIsComplete) {
  const auto cards = algorithm_catalog();
  EXPECT_TRUE(std::is_sorted(cards.begin(), cards.end(),
                             [](const Algorithm* a, const Algorithm* b) { return a->name < b->name; }));
  for (const Algorithm* card : cards) {
    EXPECT_EQ(find_algorithm(card->name), card);
    EXPECT_TRUE(card->name.starts_with(name_of(card->collective))) << card->name;
    EXPECT_FALSE(card->summary.empty()) << card->name;
    EXPECT_FALSE(card->source.empty()) << card->name;
    EXPECT_FALSE(card->remarks.empty()) << card->name;
    EXPECT_TRUE(card->applies && card->claimed && card->generate) << card->name;
  }
  EXPECT_EQ(find_algorithm("alltoall"), nullptr);
}

TEST(AlgorithmCatalog, ChoosesTheFewestClaimedStepsAndSaysWhy) {
  const Choice torus =
      choose_algorithm(standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, one_port()));
  EXPECT_EQ(torus.algorithm->name, "alltoall_cayley") << "the first in the catalog of those that claim 32";
  EXPECT_THAT(torus.reason,
              ::testing::MatchesRegex(
                  "claims 32 steps, the fewest of [0-9]+ that apply; next: alltoall_[a-z_]+, 32"));
}

// Two figures: what is cheapest depends on what a start-up costs, and how large a block is.
TEST(AlgorithmCatalog, WormsAreChosenByTheTimeOfStartUpsAndBlocks) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  model.cost = {.ts = 10, .tx = 1};
  const Problem problem = standard_problem(parse_topology("torus(8,8)"), CollectiveKind::kAlltoall, model);
  const auto figures = [&](uint64_t block_bytes) {
    const Claim claim = choose_algorithm(problem, block_bytes).claim;
    return std::pair(*claim.start_ups, *claim.critical_blocks);
  };
  EXPECT_EQ(figures(1), std::pair(uint64_t{8}, uint64_t{160}));
  EXPECT_EQ(figures(100), std::pair(uint64_t{112}, uint64_t{112}));
  const Choice choice = choose_algorithm(problem);
  EXPECT_EQ(choice.name(), std::string(choice.algorithm->name) + ":" + choice.member);
  EXPECT_THAT(choice.reason, ::testing::HasSubstr("the cheapest of"));
}

TEST(AlgorithmCatalog, TheFrontHoldsNothingThatAnotherReachesInBothFigures) {
  Model model = one_port();
  model.switching = Switching::kWormhole;
  const Problem problem = standard_problem(parse_topology("torus(6,5)"), CollectiveKind::kAlltoall, model);
  Claim last;
  for (const Choice& choice : pareto_front(problem)) {
    const Claim claim = choice.claim;
    if (last.start_ups) {
      EXPECT_GT(*claim.start_ups, *last.start_ups);
      EXPECT_LT(*claim.critical_blocks, *last.critical_blocks);
    }
    last = claim;
  }
  EXPECT_TRUE(last.start_ups.has_value());
}

// A card that only promises to finish is chosen where no other applies.
TEST(AlgorithmCatalog, ACardWithoutAClaimComesLast) {
  TopologyBuilder builder("one_way", 3);
  for (uint32_t i = 0; i < 3; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 3});
  Model half_duplex = one_port();
  half_duplex.duplex = Duplex::kHalf;
  const Choice choice =
      choose_algorithm(standard_problem(builder.build(), CollectiveKind::kAlltoall, half_duplex));
  EXPECT_EQ(choice.algorithm->name, "alltoall_direct");
  EXPECT_EQ(choice.reason, "nothing else applies");
}

TEST(AlgorithmCatalog, ACardThatDoesNotServeIsAnsweredWithOneThatDoes) {
  const Problem mesh = standard_problem(parse_topology("mesh(3,3)"), CollectiveKind::kAlltoall, one_port());
  EXPECT_THAT(instead_of(algorithms::alltoall_cayley, mesh),
              ::testing::MatchesRegex("alltoall_[a-z_]+ applies, and claims [0-9]+ steps"));
  require_serves(algorithms::alltoall_direct, mesh);
  try {
    require_serves(algorithms::alltoall_cayley, mesh);
    FAIL() << "it does not apply";
  } catch (const InputError& e) {
    EXPECT_EQ(
        std::string_view(e.what()),
        "--algorithm: alltoall_cayley does not apply to alltoall on mesh(3,3): it needs a Cayley graph; no "
        "group is known for mesh(3,3); " +
            instead_of(algorithms::alltoall_cayley, mesh));
  }
}

TEST(AlgorithmCatalog, WhereNothingAppliesEveryReasonIsGiven) {
  Model no_queues;
  no_queues.queue_limit = 0;
  try {
    static_cast<void>(
        choose_algorithm(standard_problem(parse_topology("mesh(3,3)"), CollectiveKind::kGather, no_queues)));
    FAIL() << "nothing applies";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), ::testing::StartsWith("no algorithm applies to gather on mesh(3,3) with "));
    EXPECT_THAT(e.what(), ::testing::HasSubstr("\n  gather_fat_tree: it needs a fat tree"));
    EXPECT_THAT(e.what(),
                ::testing::HasSubstr("\n  gather_furthest_first: it does not say how long its queues get"));
  }
}

// Directed graphs, routers, links with different capacities: something always applies.
TEST(AlgorithmCatalog, EveryCollectiveHasAnAlgorithmOnEveryGraph) {
  TopologyBuilder builder("uneven", 6);
  for (uint32_t i = 0; i < 6; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 6}, i % 3 + 1);
  builder.link(NodeId{0}, NodeId{3});
  builder.arc(NodeId{4}, NodeId{2}, 2);
  builder.endpoints({NodeId{0}, NodeId{2}, NodeId{3}, NodeId{5}});
  const Topology uneven = builder.build();
  Model half_duplex = one_port();
  half_duplex.duplex = Duplex::kHalf;
  for (const Model& model : {Model{}, one_port(), half_duplex}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      const Problem problem = standard_problem(uneven, kind, model, kNoNode, 2);
      EXPECT_NO_THROW(static_cast<void>(choose_algorithm(problem))) << name_of(kind);
    }
  }
}

}  // namespace
}  // namespace quadrille
