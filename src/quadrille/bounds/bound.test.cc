#include "quadrille/bounds/bound.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/bounds/kept/kept_bounds.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace bound_test {

using testing::random_directed_topology;
using testing::random_plan;
using testing::random_topology;

Problem problem(CollectiveKind kind, std::string_view spec, Model model = {}, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

std::optional<Bound> bound(std::string_view name, const Problem& p) {
  const BoundCard* card = bound_catalog().find(name);
  return card == nullptr ? std::nullopt : card->evaluate(p);
}

Rational value(std::string_view name, const Problem& p) { return bound(name, p).value().value; }

TEST(Bounds, TheCatalogIsSortedAndComplete) {
  const auto cards = bound_catalog();
  EXPECT_TRUE(std::is_sorted(cards.begin(), cards.end(),
                             [](const BoundCard* a, const BoundCard* b) { return a->name < b->name; }));
  for (const BoundCard* card : cards)
    EXPECT_FALSE(card->summary.empty() || card->source.empty()) << card->name;
  EXPECT_EQ(bound_catalog().find("nonsense"), nullptr);
}

// Who keeps what cards say asks them by two threads.
TEST(Bounds, OfLargeNetworksAreTheSameByTwoThreads) {
  for (const char* spec : {"mesh(12,12)", "random_regular(130,3;1)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kBroadcast}) {
      for (const Ports ports : {kOnePort, kAllPorts}) {
        const Problem problem =
            standard_problem(parse_topology(spec), kind, {.send = ports, .receive = ports});
        const std::vector<Bound> by_one = all_bounds(problem);
        const KeptBounds kept;
        const std::vector<Bound> by_two = all_bounds(problem);
        ASSERT_EQ(by_one.size(), by_two.size()) << problem.title();
        for (size_t i = 0; i < by_one.size(); ++i) {
          EXPECT_EQ(by_one[i].name, by_two[i].name) << problem.title();
          EXPECT_EQ(by_one[i].value, by_two[i].value) << problem.title() << ", " << by_one[i].name;
          EXPECT_EQ(by_one[i].witness, by_two[i].witness) << problem.title() << ", " << by_one[i].name;
        }
      }
    }
  }
}

TEST(Bounds, OnePortTotalExchangeIsBoundedByTheAverageStatus) {
  EXPECT_EQ(value("average_status", problem(CollectiveKind::kAlltoall, "torus(4,4)", ports(1))),
            Rational(32));
  // line(4): total distances 6, 4, 4, 6.
  EXPECT_EQ(value("average_status", problem(CollectiveKind::kAlltoall, "line(4)", ports(1))), Rational(5));
  EXPECT_EQ(value("average_status", problem(CollectiveKind::kAlltoall, "line(3)", ports(1))),
            Rational::of(8, 3));
  EXPECT_EQ(best_bound(problem(CollectiveKind::kAlltoall, "torus(4,4)", ports(1))).name, "average_status");
}

TEST(Bounds, WhereLinksGoOneWayScatterCountsTheHopsFromTheRootAndGatherThoseToIt) {
  TopologyBuilder builder("one way", 3);
  for (const auto& [tail, head] : {std::pair{0U, 1U}, {1U, 2U}, {2U, 0U}, {0U, 2U}})
    builder.arc(NodeId{tail}, NodeId{head});
  const Topology net = builder.build();
  EXPECT_EQ(value("average_status", standard_problem(net, CollectiveKind::kScatter)), Rational::of(2, 4));
  EXPECT_EQ(value("average_status", standard_problem(net, CollectiveKind::kGather)), Rational::of(3, 4));
}

TEST(Bounds, TwoNodesAreEnoughForThem) {
  EXPECT_EQ(value("average_status", problem(CollectiveKind::kAlltoall, "line(2)", {}, 3)), Rational(3));
  EXPECT_EQ(value("degree", problem(CollectiveKind::kAlltoall, "line(2)", {}, 3)), Rational(3));
}

TEST(Bounds, OfTheoremSixTenAreForPacketsOfOnePiece) {
  Model worms;
  worms.switching = Switching::kWormhole;
  const std::string_view tree = "fat_tree(2^3;constant)";
  EXPECT_TRUE(bound("fat_tree_exponential", problem(CollectiveKind::kAlltoall, tree)).has_value());
  EXPECT_FALSE(bound("fat_tree_exponential", problem(CollectiveKind::kAlltoall, tree, worms)).has_value());
  EXPECT_FALSE(bound("fat_tree_exponential", problem(CollectiveKind::kAlltoall, tree, {}, 2)).has_value());
  EXPECT_FALSE(bound("fat_tree_exponential", problem(CollectiveKind::kAllgather, tree)).has_value());
}

TEST(Bounds, OfEqualWitnessesNameTheFirst) {
  EXPECT_EQ(bound("degree", problem(CollectiveKind::kAlltoall, "ring(4)"))->witness,
            "node 0 must send 3 blocks over links that carry 2 a step");
  Model worms;
  worms.switching = Switching::kWormhole;
  worms.routing = Routing::kDimensionOrder;
  EXPECT_EQ(
      bound("dimension_order", problem(CollectiveKind::kBroadcast, "hypercube(3)", worms))->witness,
      "worms from one node to the 4 that differ from it in the first dimension start on ports of these");
}

TEST(Bounds, AllPortTotalExchangeIsBoundedByTheMiddleCut) {
  // T = floor(n^2/4) on lines and n^3/8 on square tori with an even side.
  EXPECT_EQ(value("structured_cut", problem(CollectiveKind::kAlltoall, "line(6)")), Rational(9));
  EXPECT_EQ(value("structured_cut", problem(CollectiveKind::kAlltoall, "line(7)")), Rational(12));
  EXPECT_EQ(value("structured_cut", problem(CollectiveKind::kAlltoall, "torus(8,8)")), Rational(64));
  EXPECT_EQ(value("structured_cut", problem(CollectiveKind::kAlltoall, "hypercube(4)")), Rational(8));
  EXPECT_EQ(value("structured_cut", problem(CollectiveKind::kAlltoall, "hypercube(4)", {}, 3)), Rational(24));
}

TEST(Bounds, HalfDuplexSharesTheCut) {
  Model half;
  half.duplex = Duplex::kHalf;
  EXPECT_EQ(value("structured_cut", problem(CollectiveKind::kAlltoall, "line(6)", half)), Rational(18));
  EXPECT_EQ(value("degree", problem(CollectiveKind::kAlltoall, "line(2)", half)), Rational(2));
}

TEST(Bounds, ScatterIsBoundedByTheRootsPortsAndLinks) {
  EXPECT_EQ(value("ports", problem(CollectiveKind::kScatter, "torus(4,4)", ports(1))), Rational(15));
  EXPECT_EQ(value("ports", problem(CollectiveKind::kScatter, "torus(4,4)", ports(2))), Rational::of(15, 2));
  EXPECT_EQ(value("degree", problem(CollectiveKind::kScatter, "torus(4,4)")), Rational::of(15, 4));
  EXPECT_EQ(bound("degree", problem(CollectiveKind::kGather, "torus(4,4)"))->witness,
            "node (0,0) must receive 15 blocks over links that carry 4 a step");
  EXPECT_FALSE(bound("ports", problem(CollectiveKind::kScatter, "torus(4,4)")).has_value());
}

TEST(Bounds, DistanceNamesTheFarthestPair) {
  const Problem p = problem(CollectiveKind::kBroadcast, "mesh(3,4)");
  EXPECT_EQ(value("distance", p), Rational(5));
  EXPECT_EQ(bound("distance", p)->witness, "(2,3) is 5 hops from (0,0)");
  EXPECT_EQ(value("distance", problem(CollectiveKind::kAllgather, "fat_tree(2^3;constant)")), Rational(6));
}

TEST(Bounds, OnlyDoublingBindsTheStepsOfWorms) {
  Model worms = ports(1);
  worms.switching = Switching::kWormhole;
  for (const CollectiveKind kind : kCollectiveKinds) {
    std::vector<Bound> all = all_bounds(problem(kind, "torus(4,5)", worms));
    // Who hears of whom across cuts is a matter of doubling, too, and says no more where links are many.
    std::erase_if(all, [](const Bound& bound) { return bound.on != BoundOn::kSteps; });
    for (const Bound& bound : all) {
      EXPECT_TRUE(bound.name == "doubling" || bound.name == "heard_across" || bound.name == "parts_entered");
      EXPECT_LE(bound.value, Rational(5));
    }
    EXPECT_EQ(value("doubling", problem(kind, "torus(4,5)", worms)), Rational(5));
  }
  worms.send = worms.receive = kAllPorts;
  EXPECT_EQ(value("doubling", problem(CollectiveKind::kBroadcast, "torus(5,5)", worms)), Rational(2));
}

TEST(Bounds, PortsAndTheLongestDimensionBindTheBlocksOfWorms) {
  Model worms = ports(1);
  worms.switching = Switching::kWormhole;
  const auto least = [&](std::string_view spec) {
    return best_bound(problem(CollectiveKind::kAlltoall, spec, worms), BoundOn::kCriticalBlocks);
  };
  // N-1 where the torus is small, else N floor(a^2/4)/(2a) for the longest side a.
  EXPECT_EQ(least("torus(4,4)").value, Rational(15));
  EXPECT_EQ(least("torus(4,4)").name, "ports");
  EXPECT_EQ(least("torus(16,16)").value, Rational(512));
  EXPECT_EQ(least("torus(16,16)").name, "structured_cut");
  EXPECT_EQ(least("torus(9,9)").value, Rational(90));
  EXPECT_EQ(least("torus(12,20)").value, Rational(600));
  EXPECT_EQ(least("torus(8,8,8)").value, Rational(512));
  EXPECT_EQ(least("ring(64)").value, Rational(512));
  EXPECT_EQ(least("ring(7)").value, Rational(6));
  // Meshes: N/a floor(a/2) ceil(a/2).
  EXPECT_EQ(least("mesh(8,8)").value, Rational(128));
  EXPECT_EQ(least("mesh(4,6)").value, Rational(36));
  EXPECT_EQ(least("mesh(7,7)").value, Rational(84));
  EXPECT_EQ(value("ports", problem(CollectiveKind::kAlltoall, "torus(4,4)", worms, 3)), Rational(45));
}

TEST(Bounds, EveryStepOfWormsCarriesABlock) {
  Model worms;
  worms.send = worms.receive = kAllPorts;
  worms.switching = Switching::kWormhole;
  worms.routing = Routing::kDimensionOrder;
  const auto least = [&](uint32_t pieces) {
    return best_bound(problem(CollectiveKind::kBroadcast, "torus(7,7,7)", worms, pieces),
                      BoundOn::kCriticalBlocks);
  };
  EXPECT_EQ(least(1).name, "dimension_order");
  EXPECT_EQ(least(1).value, Rational(4));
  EXPECT_EQ(least(1).on, BoundOn::kCriticalBlocks);
  EXPECT_NE(least(1).witness, "");
  // Where blocks bind as much as steps or more, they keep the word.
  EXPECT_EQ(least(24).name, "degree");
  EXPECT_EQ(least(24).value, Rational(4));
  EXPECT_EQ(least(30).value, Rational(5));
}

TEST(Bounds, NothingToMoveIsBoundedByNothing) {
  for (const CollectiveKind kind : kCollectiveKinds)
    EXPECT_EQ(best_bound(problem(kind, "ring(1)")).value, Rational(0));
}

Model random_model(uint32_t nodes, Rng& rng) {
  const std::array<uint32_t, 4> ports = {0, 1, 1, nodes > 2 ? 2U : 1U};  // two nodes may have one link
  Model model;
  model.send = Ports{ports[rng.below(4)]};
  model.receive = Ports{ports[rng.below(4)]};
  if (rng.below(3) == 0) model.switching = Switching::kWormhole;
  if (rng.below(3) == 0) model.duplex = Duplex::kHalf;
  return model;
}

// The worst bug of a bound is to be wrong: random plans of random problems, some of which will be optimal.
TEST(Bounds, NoPlanThatPassesTheJudgeIsBelowABound) {
  Rng rng(7);
  for (int round = 0; round < 900; ++round) {
    const uint32_t nodes = 2 + static_cast<uint32_t>(rng.below(6));
    const bool routers = rng.below(2) == 0;
    const bool one_way = round >= 600;  // half duplex needs links of both ways
    const Topology net =
        one_way ? random_directed_topology(rng, nodes, routers) : random_topology(rng, nodes, routers);
    const CollectiveKind kind = kCollectiveKinds[rng.below(kCollectiveKinds.size())];
    const NodeId root = net.endpoints()[rng.below(net.num_endpoints())];
    Model model = random_model(nodes, rng);
    if (one_way) model.duplex = Duplex::kFull;
    const Problem p = standard_problem(net, kind, model, root, 1 + static_cast<uint32_t>(rng.below(2)));
    const Verification v = verify(p, random_plan(p, rng));
    ASSERT_TRUE(v.schedule.has_value()) << to_text(v.verdict.findings.front());
    for (const Bound& b : all_bounds(p)) {
      const Figures& figures = v.verdict.figures;
      const uint64_t measured = b.on == BoundOn::kSteps ? figures.steps : figures.critical_blocks;
      EXPECT_GE(static_cast<int64_t>(measured), b.value.ceil())
          << p.title() << ", " << describe(p.model()) << ": " << b.name << ", " << b.witness;
    }
  }
}

}  // namespace bound_test
}  // namespace quadrille
