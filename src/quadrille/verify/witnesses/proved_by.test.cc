// Witnesses against what is known, against the bounds of the house, which add up otherwise, and against the
// optimum: whatever a witness says, it must not prove more.
#include "quadrille/verify/witnesses/proved_by.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exhaustive_optimum.test.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/search/plain_refutation.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/mutants.test.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Problem on(std::string_view spec, CollectiveKind kind, Model model = ports(1), uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

std::vector<NodeId> nodes(std::initializer_list<uint32_t> numbers) {
  std::vector<NodeId> out;
  for (const uint32_t n : numbers) out.push_back(NodeId{n});
  return out;
}

TEST(ProvedBy, TheMiddleOfALineIsACutAndANode) {
  const Problem exchange = on("line(5)", CollectiveKind::kAlltoall);
  EXPECT_EQ(proved_by(exchange, CutWitness{nodes({0, 1})}), Rational(6));
  EXPECT_EQ(proved_by(exchange, CutWitness{nodes({2, 3, 4})}), Rational(6));
  EXPECT_EQ(proved_by(exchange, NodeWitness{NodeId{2}}), Rational(12)) << "4 of its own and 8 to pass on";
  EXPECT_EQ(proved_by(exchange, NodeWitness{NodeId{0}}), Rational(4));
  EXPECT_EQ(proved_by(exchange, WeightsWitness{{}, {{NodeId{2}, 7}}, {}}), Rational(12));
  EXPECT_EQ(proved_by(exchange, InformedWitness{NodeId{0}, 4}), Rational(4));
}

TEST(ProvedBy, StepsBeforeAndAfterACrossingAreLost) {
  // To the third node of a line and beyond: one step until a block is there.
  EXPECT_EQ(proved_by(on("line(5)", CollectiveKind::kScatter), CutWitness{nodes({2, 3, 4})}), Rational(4));
  // Equation 6.4: 8 leaves, 4 x 4 blocks over one link, 2 steps before and 3 after.
  std::vector<NodeId> half = nodes({0, 1, 2, 3, 8, 9, 12});
  EXPECT_EQ(proved_by(on("fat_tree(2^3)", CollectiveKind::kAlltoall, ports(0)), CutWitness{half}),
            Rational(21));
  // A router of level 2 sends 4 x 4 blocks up and 4 x 6 down; none in the first two steps, none in the last.
  EXPECT_EQ(proved_by(on("fat_tree(2^3)", CollectiveKind::kAlltoall), NodeWitness{NodeId{12}}), Rational(43));
}

TEST(ProvedBy, InATreeTheTimeOfABroadcastIsKnown) {
  const auto news = [](std::string_view spec) {
    return proved_by(on(spec, CollectiveKind::kBroadcast), InformedWitness{NodeId{0}, 1});
  };
  EXPECT_EQ(news("tree(2,6)"), Rational(9));
  EXPECT_EQ(news("tree(6)"), Rational(6));
  EXPECT_EQ(news("line(6)"), Rational(5));
}

TEST(ProvedBy, AnAllreduceSendsTwiceWhatAReductionDoes) {
  WeightsWitness all;
  const Problem problem = on("tree(2)", CollectiveKind::kAllreduce, ports(0));
  for (const ArcId arc : problem.topology().arcs())
    all.links.push_back({problem.topology().tail(arc), problem.topology().head(arc), 1});
  EXPECT_EQ(proved_by(problem, all), Rational(1)) << "4 transfers, 4 links";
  const Problem pieces = on("tree(2)", CollectiveKind::kAllreduce, ports(0), 3);
  EXPECT_EQ(proved_by(pieces, all), Rational(3));
}

TEST(ProvedBy, CollectivesAreToldApart) {
  const auto cut = [](CollectiveKind kind, Model model) {
    return proved_by(on("line(5)", kind, model), CutWitness{nodes({0, 1})});
  };
  EXPECT_EQ(cut(CollectiveKind::kBroadcast, ports(0)), Rational(4));
  EXPECT_EQ(cut(CollectiveKind::kScatter, ports(0)), Rational(4));
  EXPECT_EQ(cut(CollectiveKind::kGather, ports(0)), Rational(4));
  EXPECT_EQ(cut(CollectiveKind::kAllgather, ports(0)), Rational(4))
      << "what enters the smaller side, and goes on";
  EXPECT_EQ(cut(CollectiveKind::kReduceScatter, ports(0)), Rational(4));
  EXPECT_EQ(cut(CollectiveKind::kAllreduce, ports(0)), Rational(4)) << "from the farthest to the farthest";
  Model half;
  half.duplex = Duplex::kHalf;
  EXPECT_EQ(cut(CollectiveKind::kAllgather, half), Rational(5));
}

TEST(ProvedBy, WhoIsInformedInTime) {
  const auto news = [](std::string_view spec, uint32_t hops, uint32_t pieces = 1) {
    return proved_by(on(spec, CollectiveKind::kBroadcast, ports(1), pieces),
                     InformedWitness{NodeId{0}, hops});
  };
  EXPECT_EQ(news("complete(9)", 1), Rational(4)) << "doubling";
  EXPECT_EQ(news("ring(7)", 1), Rational(4)) << "two ends, of which one starts late";
  EXPECT_EQ(news("ring(6)", 3), Rational(3));
  EXPECT_EQ(news("ring(7)", 1, 3), Rational(6)) << "the last piece leaves two steps later";
  EXPECT_EQ(news("ring(7)", 99), Rational(0)) << "nobody is so far";
  EXPECT_EQ(proved_by(on("ring(7)", CollectiveKind::kBroadcast), InformedWitness{NodeId{1}, 1}), Rational(0))
      << "not the root";
}

TEST(ProvedBy, WormsCarryManyBlocks) {
  const Problem exchange = worms_on("torus(4,4)");
  EXPECT_EQ(proved_by(exchange, CutWitness{nodes({0})}), Rational(0));
  EXPECT_EQ(proved_by(exchange, NodeWitness{NodeId{0}}), Rational(0));
  EXPECT_EQ(proved_by(exchange, WeightsWitness{{}, {{NodeId{0}, 1}}, {}}), Rational(0));
  EXPECT_EQ(proved_by(exchange, InformedWitness{NodeId{0}, 1}), Rational(4));
}

TEST(ProvedBy, ARefutationIsFollowedLemmaByLemma) {
  constexpr std::string_view kNet = "generalized_petersen(8,3)";
  const Problem broadcast = on(kNet, CollectiveKind::kBroadcast);
  const auto lemmas = plain_refutation(broadcast.topology(), NodeId{0}, 4, 100'000);
  ASSERT_TRUE(lemmas.has_value());
  ASSERT_GT(lemmas->size(), 5U);
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4, *lemmas}), Rational(5));
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{5, *lemmas}), Rational(0)) << "five steps are enough";
  EXPECT_EQ(proved_by(on(kNet, CollectiveKind::kScatter), RefutationWitness{4, *lemmas}), Rational(0));
  EXPECT_EQ(proved_by(on(kNet, CollectiveKind::kBroadcast, ports(0)), RefutationWitness{4, *lemmas}),
            Rational(0));
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4, {}}), Rational(0));
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4, {{}}}), Rational(0)) << "that does not follow at once";
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4, {{4'000'000'000U}}}), Rational(0));
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4'000'000'000U, *lemmas}), Rational(0));
  std::vector<std::vector<uint32_t>> cut_off = *lemmas;
  cut_off.pop_back();
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4, cut_off}), Rational(0)) << "without its end";
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{0, {{}}}), Rational(1))
      << "in no steps nobody is informed";
}

TEST(ProvedBy, TheLastOfManyPiecesLeavesTheRootLate) {
  const Problem broadcast = on("generalized_petersen(8,3)", CollectiveKind::kBroadcast, ports(1), 7);
  const auto lemmas = plain_refutation(broadcast.topology(), NodeId{0}, 4, 100'000);
  EXPECT_EQ(proved_by(broadcast, RefutationWitness{4, lemmas.value()}), Rational(11));
}

TEST(ProvedBy, WhatCrossesACutInTime) {
  // Over two ways from 0 to 2, of 1 and 2 hops: T steps bring T + (T - 1) pieces.
  TopologyBuilder builder("two ways", 3);
  for (const auto& [tail, head] : {std::pair{0U, 1U}, {1U, 2U}, {2U, 0U}, {0U, 2U}})
    builder.arc(NodeId{tail}, NodeId{head});
  const Topology net = builder.build();
  const auto proved = [&](CollectiveKind kind, uint32_t pieces, std::vector<uint32_t> times,
                          Model model = {}) {
    return proved_by(standard_problem(net, kind, model, kNoNode, pieces), TimesWitness{std::move(times)});
  };
  EXPECT_EQ(proved(CollectiveKind::kBroadcast, 6, {0, 1, 4}), Rational(4)) << "3 steps bring 5";
  EXPECT_EQ(proved(CollectiveKind::kBroadcast, 5, {0, 1, 4}), Rational(0));
  EXPECT_EQ(proved(CollectiveKind::kBroadcast, 6, {0, 0, 4}), Rational(0)) << "3 over each link";
  EXPECT_EQ(proved(CollectiveKind::kBroadcast, 6, {1, 1, 4}), Rational(0))
      << "the root has them from the start";
  EXPECT_EQ(proved(CollectiveKind::kBroadcast, 1, {0, 1, 0}), Rational(1));
  EXPECT_EQ(proved(CollectiveKind::kReduce, 2, {0, 3, 0}), Rational(0)) << "over 2, which is there at once";
  EXPECT_EQ(proved(CollectiveKind::kReduce, 2, {0, 3, 1}), Rational(3)) << "one way of two hops";
  EXPECT_EQ(proved(CollectiveKind::kScatter, 6, {0, 1, 4}), Rational(4)) << "6 for one node";
  EXPECT_EQ(proved(CollectiveKind::kScatter, 5, {0, 1, 4}), Rational(0));
  EXPECT_EQ(proved(CollectiveKind::kScatter, 3, {0, 4, 4}), Rational(0)) << "6 for two nodes, over 3 and 3";
  EXPECT_EQ(proved(CollectiveKind::kScatter, 4, {0, 4, 4}), Rational(4));
  EXPECT_EQ(proved(CollectiveKind::kScatter, 4, {0, 0, 0}), Rational(0));
  EXPECT_EQ(proved(CollectiveKind::kGather, 2, {0, 3, 0}), Rational(0)) << "over 2, which is there at once";
  EXPECT_EQ(proved(CollectiveKind::kGather, 2, {0, 3, 1}), Rational(3));
  EXPECT_EQ(proved(CollectiveKind::kAllgather, 6, {0, 1, 4}), Rational(0));
  const auto of_counts = [&](uint32_t there, std::vector<uint32_t> times) {
    const Problem problem =
        counted_problem(net, Counts(3, {{Rank{0}, Rank{2}, there}, {Rank{1}, Rank{2}, 9}}));
    return proved_by(problem, TimesWitness{std::move(times)});
  };
  EXPECT_EQ(of_counts(6, {0, 1, 4}), Rational(4));
  EXPECT_EQ(of_counts(5, {0, 1, 4}), Rational(0)) << "what 1 has may be there at once";
  EXPECT_EQ(of_counts(1, {1, 0, 3}), Rational(3)) << "9 of 1, over 2 and 1";
  EXPECT_EQ(of_counts(6, {0, 0, 0}), Rational(0));
  Model worms;
  worms.switching = Switching::kWormhole;
  EXPECT_EQ(proved(CollectiveKind::kBroadcast, 6, {0, 1, 4}, worms), Rational(0));
}

// --- against bounds, plans and the optimum ----------------------------------------------------------------

Model random_model(Rng& rng) {
  Model model;
  model.send = Ports{static_cast<uint32_t>(rng.below(2))};
  model.receive = Ports{static_cast<uint32_t>(rng.below(2))};
  if (rng.below(4) == 0) model.duplex = Duplex::kHalf;
  if (rng.below(5) == 0) model.switching = Switching::kWormhole;
  return model;
}

Problem random_problem(Rng& rng, uint32_t most_nodes) {
  const uint32_t size = 3 + static_cast<uint32_t>(rng.below(most_nodes - 2));
  const bool routers = rng.below(3) == 0;
  const Topology net = rng.below(3) == 0 ? testing::random_directed_topology(rng, size, routers)
                                         : testing::random_topology(rng, size, routers);
  const NodeId root = net.endpoints()[rng.below(net.num_endpoints())];
  return standard_problem(net, kCollectiveKinds[rng.below(kCollectiveKinds.size())], random_model(rng), root,
                          1 + static_cast<uint32_t>(rng.below(2)));
}

BoundWitness random_witness(const Topology& net, Rng& rng) {
  switch (rng.below(8)) {
    case 0: {
      CutWitness cut;
      for (const NodeId v : net.nodes()) {
        if (rng.below(2) == 0) cut.nodes.push_back(v);
      }
      if (cut.nodes.empty() || cut.nodes.size() == net.num_nodes()) cut.nodes = {NodeId{0}};
      return cut;
    }
    case 1:
      return NodeWitness{id_at<NodeId>(rng.below(net.num_nodes()))};
    case 2:
      return InformedWitness{id_at<NodeId>(rng.below(net.num_nodes())), static_cast<uint32_t>(rng.below(4))};
    case 3: {
      TimesWitness cut{std::vector<uint32_t>(net.num_nodes())};
      for (uint32_t& time : cut.times) time = static_cast<uint32_t>(rng.below(7));
      cut.times[rng.below(cut.times.size())] = 0;
      return cut;
    }
    case 4: {
      BetweenWitness among;
      for (const NodeId v : net.endpoints())
        if (rng.below(4) != 0) among.nodes.push_back(v);
      if (among.nodes.size() >= 2) return among;
      break;
    }
    case 5: {
      const ProductStructure* product = net.product();
      if (product == nullptr || product->factors.size() < 2) break;
      OrderWitness order{static_cast<uint32_t>(1 + rng.below(product->factors.size() - 1)), {}};
      for (const Topology& factor : product->factors) order.sides.push_back(factor.num_nodes());
      return order;
    }
    case 6:
      return SendsWitness{static_cast<uint32_t>(rng.below(9))};
    default:
      break;
  }
  WeightsWitness weights;
  const auto weight = [&] { return static_cast<uint32_t>(rng.below(3)); };
  for (const ArcId arc : net.arcs()) weights.links.push_back({net.tail(arc), net.head(arc), weight()});
  for (const NodeId v : net.nodes()) weights.senders.push_back({v, weight()});
  for (const NodeId v : net.nodes()) weights.receivers.push_back({v, weight()});
  if (rng.below(2) == 0) weights.links.clear();
  if (rng.below(2) == 0) weights.senders.clear();
  if (rng.below(2) == 0) weights.receivers.clear();
  return weights;
}

// Two leaves under one node, 2 hops apart: a send in step 1 and a reception in step 2.
TEST(ProvedBy, WhatIsSentIsReceivedLater) {
  const BetweenWitness all{nodes({0, 1, 2, 3})};
  const Problem tree = on("fat_tree(2^2)", CollectiveKind::kAlltoall, ports(0));
  EXPECT_EQ(proved_by(tree, BetweenWitness{nodes({0, 1})}), Rational(2));
  EXPECT_EQ(proved_by(tree, all), Rational::of(6 + 6 + 1 + 3 + 3 - 3, 3));
  EXPECT_EQ(proved_by(on("fat_tree(2^2)", CollectiveKind::kAllgather), all), Rational(0)) << "copies";
  EXPECT_EQ(proved_by(worms_on("torus(2,2)"), all), Rational(0)) << "worms take any number of blocks";
  EXPECT_EQ(*find_mistake(BetweenWitness{nodes({0, 4})}, tree.topology()),
            "node 4 is no endpoint, and has nothing for others");
  EXPECT_EQ(*find_mistake(BetweenWitness{nodes({2})}, tree.topology()),
            "something is sent between two endpoints or more");
}

TEST(ProvedBy, RoutersAreShortOfBlocksAtEitherEnd) {
  // Two routers with two hosts each: four blocks over the link between, none in the first step nor in the last.
  TopologyBuilder pair("two routers", 6);
  for (uint32_t host = 0; host < 4; ++host) pair.link(NodeId{host}, NodeId{4 + host / 2});
  pair.link(NodeId{4}, NodeId{5});
  pair.endpoints(nodes({0, 1, 2, 3}));
  const Topology net = pair.build();
  WeightsWitness bridge;
  bridge.links = {{NodeId{4}, NodeId{5}, 1}, {NodeId{5}, NodeId{4}, 1}};
  const auto least = [&](CollectiveKind kind, Model model, uint32_t pieces = 1) {
    return proved_by(standard_problem(net, kind, model, NodeId{0}, pieces), bridge);
  };
  EXPECT_EQ(least(CollectiveKind::kAlltoall, ports(0)), Rational(6));
  EXPECT_EQ(least(CollectiveKind::kAlltoall, ports(0), 3), Rational(14));
  EXPECT_EQ(least(CollectiveKind::kAllgather, ports(0)), Rational(2)) << "copies are not short";
  Model half;
  half.duplex = Duplex::kHalf;
  EXPECT_EQ(least(CollectiveKind::kAlltoall, half), Rational(8)) << "one way or the other";
  // Three links from a router with one host: in the second step one of them can be used.
  TopologyBuilder fan("a fan", 8);
  for (uint32_t router = 4; router < 8; ++router) fan.link(NodeId{router - 4}, NodeId{router});
  for (const uint32_t router : {5U, 6U, 7U}) fan.link(NodeId{4}, NodeId{router});
  fan.endpoints(nodes({0, 1, 2, 3}));
  const Topology star = fan.build();
  WeightsWitness out;
  for (const uint32_t router : {5U, 6U, 7U}) out.links.push_back({NodeId{4}, NodeId{router}, 1});
  EXPECT_EQ(proved_by(standard_problem(star, CollectiveKind::kAlltoall, ports(0)), out),
            Rational::of(3 * 3 + 3 + 2 + 3, 3));
}

TEST(ProvedBy, SendsThatBringNothingNewDoNotCount) {
  // A hub with five arms: one to it, and to each of the four others as many pieces.
  TopologyBuilder builder("a hub", 6);
  for (uint32_t arm = 0; arm < 5; ++arm) builder.link(NodeId{arm}, NodeId{5});
  builder.endpoints(nodes({0, 1, 2, 3, 4}));
  const Topology hub = builder.build();
  const auto least = [&](CollectiveKind kind, uint32_t pieces, uint32_t steps, Model model = ports(1)) {
    return proved_by(standard_problem(hub, kind, model, kNoNode, pieces), SendsWitness{steps});
  };
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
    EXPECT_EQ(least(kind, 1, 4), Rational(5));
    EXPECT_EQ(least(kind, 1, 5), Rational(0)) << "they are enough";
    EXPECT_EQ(least(kind, 1, 2), Rational(3));
    EXPECT_EQ(least(kind, 10, 40), Rational(41));
    EXPECT_EQ(least(kind, 10, 40, ports(0)), Rational(0));
  }
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    EXPECT_EQ(least(kind, 1, 20), Rational(21));
    EXPECT_EQ(least(kind, 1, 21), Rational(0));
    EXPECT_EQ(least(kind, 1, UINT32_MAX), Rational(0));
  }
  EXPECT_EQ(least(CollectiveKind::kAlltoall, 1, 1), Rational(0)) << "no copies";
  EXPECT_EQ(least(CollectiveKind::kAllreduce, 1, 1), Rational(0));
  EXPECT_EQ(least(CollectiveKind::kBroadcast, 9, 2, {.switching = Switching::kWormhole}), Rational(0));
}

TEST(ProvedBy, WormsInOrderLeaveOverTheFirstDimensions) {
  const Model ordered{.switching = Switching::kWormhole, .routing = Routing::kDimensionOrder};
  const auto order = [&](std::string_view spec, uint32_t cut, std::vector<uint32_t> sides, Model model) {
    return proved_by(on(spec, CollectiveKind::kBroadcast, model), OrderWitness{cut, std::move(sides)});
  };
  EXPECT_EQ(order("torus(5,5)", 1, {5, 5}, ordered), Rational(3)) << "doubling says 2";
  EXPECT_EQ(order("torus(4,6)", 1, {6, 4}, ordered), Rational(0)) << "not its sides";
  Model few = ordered;
  few.send = Ports{3};
  EXPECT_EQ(order("torus(5,5)", 1, {5, 5}, few), Rational(0)) << "not all ports";
  EXPECT_EQ(order("torus(5,5)", 1, {5, 5}, {.switching = Switching::kWormhole}), Rational(0)) << "any order";
  const Topology net = parse_topology("torus(5,5)");
  EXPECT_EQ(*find_mistake(OrderWitness{2, {5, 5}}, net),
            "2 dimensions are cut after one of them, and before the last, not after 2");
  EXPECT_EQ(*find_mistake(OrderWitness{1, {5, 4}}, net),
            "these sides are not those of torus(5,5), which has 25 nodes");
}

TEST(ProvedBy, CopiesMustBeAtAllWhoWantThem) {
  // Through one port the root of a fat tree sends 4 blocks to each of two children, from the third step on; a child needs
  // two steps more to tell its leaves.
  EXPECT_EQ(proved_by(on("fat_tree(2^2)", CollectiveKind::kAllgather), NodeWitness{NodeId{6}}),
            Rational(2 + 4 + 2));
  EXPECT_EQ(proved_by(on("fat_tree(2^2)", CollectiveKind::kAllgather, ports(0)), NodeWitness{NodeId{6}}),
            Rational(2 + 2 + 1));
}

// The four that rest on fat trees, and on the order of coordinates.
TEST(ProvedBy, TheEvidenceOfBoundsOnOneKindOfNetworkProvesThem) {
  std::map<std::string_view, size_t> proved;
  const auto hold = [&](const Problem& problem) {
    for (const std::string_view name :
         {"fat_tree_leaf_times", "fat_tree_exponential", "fat_tree_routers", "dimension_order"}) {
      for (const Bound& bound : bounds_of(*bound_catalog().find(name), problem)) {
        if (bound.on != BoundOn::kSteps) continue;
        ASSERT_TRUE(bound.evidence.has_value()) << problem.title() << name;
        ASSERT_EQ(find_mistake(*bound.evidence, problem.topology()), std::nullopt);
        EXPECT_GE(proved_by(problem, *bound.evidence).ceil(), bound.value.ceil())
            << problem.title() << ", " << describe(problem.model()) << ": " << name << ", " << bound.witness;
        ++proved[name];
      }
    }
  };
  for (const std::string_view spec :
       {"fat_tree(2^2)", "fat_tree(2^4)", "fat_tree(3^2)", "fat_tree(3,4)", "fat_tree(4,2,3)",
        "fat_tree(2^4;exponential)", "fat_tree(3^2;exponential)", "fat_tree(2^3;2,2,4)", "fat_tree(5)"}) {
    for (const uint32_t count : {0U, 1U, 2U}) {
      for (const CollectiveKind kind :
           {CollectiveKind::kAlltoall, CollectiveKind::kAllgather, CollectiveKind::kBroadcast}) {
        for (const uint32_t pieces : {1U, 3U}) {
          const Topology net = parse_topology(spec);
          const NodeId root = kind == CollectiveKind::kBroadcast ? NodeId{net.num_endpoints() - 1} : kNoNode;
          hold(standard_problem(net, kind, ports(std::min(count, 2U)), root, pieces));
        }
      }
    }
  }
  const Model ordered{.switching = Switching::kWormhole, .routing = Routing::kDimensionOrder};
  for (const std::string_view spec :
       {"torus(5,5)", "torus(3,4,5)", "mesh(4,5)", "hypercube(4)", "torus(1,5,5)"}) {
    for (const CollectiveKind kind : kCollectiveKinds)
      hold(standard_problem(parse_topology(spec), kind, ordered));
  }
  EXPECT_GT(proved["fat_tree_leaf_times"], 40U);
  EXPECT_GT(proved["fat_tree_exponential"], 5U);
  EXPECT_GT(proved["fat_tree_routers"], 60U);
  EXPECT_GT(proved["dimension_order"], 30U);
}

TEST(ProvedBy, TheEvidenceOfEveryBoundProvesIt) {
  Rng rng(11);
  size_t proved = 0;
  for (int round = 0; round < 1500; ++round) {
    const Problem problem = random_problem(rng, 9);
    for (const Bound& bound : all_bounds(problem)) {
      if (!bound.evidence || bound.on != BoundOn::kSteps) continue;
      ASSERT_EQ(find_mistake(*bound.evidence, problem.topology()), std::nullopt);
      EXPECT_GE(proved_by(problem, *bound.evidence).ceil(), bound.value.ceil())
          << problem.title() << ", " << describe(problem.model()) << ": " << bound.name << ", "
          << bound.witness;
      ++proved;
    }
  }
  EXPECT_GT(proved, 6000U);
}

TEST(ProvedBy, NoWitnessProvesMoreThanAPlanTakes) {
  Rng rng(12);
  size_t tight = 0;
  for (int round = 0; round < 3000; ++round) {
    const Problem problem = random_problem(rng, 7);
    const Verification made = verify(problem, testing::random_plan(problem, rng));
    ASSERT_TRUE(made.schedule.has_value());
    for (int i = 0; i < 8; ++i) {
      const auto least =
          static_cast<uint64_t>(proved_by(problem, random_witness(problem.topology(), rng)).ceil());
      ASSERT_LE(least, made.verdict.figures.steps) << problem.title() << ", " << describe(problem.model());
      tight += least == made.verdict.figures.steps ? 1 : 0;
    }
  }
  EXPECT_GT(tight, 200U) << "witnesses that prove nothing would pass, too";
}

TEST(ProvedBy, NoWitnessProvesMoreThanTheOptimum) {
  const size_t rounds = Sample::whole() ? 400 : 150;
  Rng rng(13);
  size_t solved = 0;
  size_t tight = 0;
  for (size_t round = 0; round < rounds; ++round) {
    const Problem problem = random_problem(rng, 5);
    const auto optimum = testing::exhaustive_optimum(problem, testing::Least::kSteps, 20'000);
    if (!optimum) continue;
    ++solved;
    for (int i = 0; i < 60; ++i) {
      const BoundWitness witness = random_witness(problem.topology(), rng);
      const auto least = static_cast<uint64_t>(proved_by(problem, witness).ceil());
      ASSERT_LE(least, optimum->value) << problem.title() << ", " << describe(problem.model()) << "\n"
                                       << testing::text_of(problem, optimum->plan);
      tight += least == optimum->value ? 1 : 0;
    }
  }
  EXPECT_GT(solved, rounds / 3);
  EXPECT_GT(tight, solved);
}

}  // namespace
}  // namespace quadrille
