// What turns do to a torus, and known figures of the cards that live by them.
#include "quadrille/algorithms/torus_classes/torus_classes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/torus_classes/level_tree.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace torus_classes_test {

TEST(TorusClasses, TurnEveryDirectionIntoEveryOther) {
  for (const std::string_view spec : {"ring(5)", "torus(4,4)", "torus(3,3,3)", "hypercube(4)"}) {
    const TorusClasses torus = *TorusClasses::of(parse_topology(spec));
    std::set<uint32_t> seen;
    for (uint32_t k = 0; k < torus.classes(); ++k) seen.insert(torus.turned(torus.directions()[0], k));
    EXPECT_EQ(seen.size(), torus.directions().size()) << spec;
    EXPECT_EQ(torus.turned(1, torus.classes()), 1U) << "all the way round, " << spec;
  }
  EXPECT_FALSE(TorusClasses::of(parse_topology("mesh(4,4)")));
}

// In classes of their own two directions of 8 carry as much as four of 4 in twice as many.
TEST(TorusClasses, TurnEveryDirectionIntoThoseOfEqualSides) {
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(4,8,4)"));
  EXPECT_FALSE(torus.is_even());
  EXPECT_EQ(torus.classes(), 4U);
  const uint32_t first = 8 * 4;
  const uint32_t second = 4;
  std::set<uint32_t> seen;
  for (uint32_t k = 0; k < 4; ++k) seen.insert(torus.turned(first, k));
  EXPECT_EQ(seen, (std::set<uint32_t>{first, 3 * first, 1, 3}));
  seen.clear();
  for (uint32_t k = 0; k < 4; ++k) seen.insert(torus.turned(second, k));
  EXPECT_EQ(seen, (std::set<uint32_t>{second, 7 * second}));
  const std::vector<uint32_t> hops = {first, 1, second, first + second};
  EXPECT_EQ(torus.load(hops), 4U) << "three along sides of 4, two of 8 that count twice";
  EXPECT_EQ(TorusClasses::of(parse_topology("torus(2,4)"))->classes(), 2U);
  EXPECT_EQ(TorusClasses::of(parse_topology("torus(4,5)"))->classes(), 2U);
}

TEST(TorusClasses, PathsAreShortAndEndWhereTheyShould) {
  for (const std::string_view spec : {"torus(4,4)", "torus(2,4)", "torus(3,5)", "torus(3,2,3)"}) {
    const Topology net = parse_topology(spec);
    const TorusClasses torus = *TorusClasses::of(net);
    std::vector<ArcId> path;
    for (uint32_t displacement = 1; displacement < torus.num_nodes(); ++displacement) {
      for (uint32_t k = 0; k < torus.classes(); ++k) {
        torus.path(6, displacement, k, path);
        EXPECT_EQ(path.size(), torus.length(displacement)) << spec;
        EXPECT_EQ(index(net.head(path.back())), torus.moved(6, torus.turned(displacement, k))) << spec;
      }
      EXPECT_EQ(torus.moved(torus.moved(6, displacement), torus.back(displacement)), 6U) << spec;
    }
  }
}

TEST(LevelTree, HasFewHopsInFewLevels) {
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(4,4)"));
  EXPECT_EQ(level_tree(torus, 1).load(torus), 32U) << "everything at once: the sum of the distances";
  EXPECT_EQ(level_tree(torus, 2).load(torus), 18U);
  EXPECT_EQ(level_tree(torus, 3).load(torus), 16U);
  EXPECT_EQ(level_tree(torus, 4).load(torus), 15U);
}

TEST(LevelTree, IsTheStoredOneWhereThereIsOne) {
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(8,8)"));
  EXPECT_EQ(level_tree(torus, 4).load(torus), 70U);
  EXPECT_EQ(level_tree(torus, 4).levels, 4U);
}

// Two halves of the torus around 0 and the node that is farthest away: far from what moving single nodes finds.
TEST(LevelTree, HasHubs) {
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(10,10)"));
  const TorusLattice all(torus, {});
  EXPECT_EQ(level_tree(torus, all, 5, {.moves = 4096, .starts = 2}).load(torus), 99U - 1 + 10);
  const TorusLattice half(torus, {5});
  const LevelTree tree = level_tree(torus, half, 3, {.moves = 4096, .starts = 2});
  std::set<uint32_t> cosets{0};
  for (const LevelTree::Edge& edge : tree.edges) cosets.insert(half.coset(edge.to));
  EXPECT_EQ(tree.edges.size(), 49U);
  EXPECT_EQ(cosets.size(), 50U);
  EXPECT_LE(tree.load(torus), 60U);
}

TEST(LevelTree, SendsNoMoreMessagesThanThereAreLinksWhereItIsNear) {
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(4,4)"));
  EXPECT_FALSE(near_level_tree(torus, 1)) << "four messages reach four nodes";
  const LevelTree tree = near_level_tree(torus, 3).value();
  EXPECT_EQ(tree.load(torus), 17U);
  std::set<std::pair<uint32_t, uint32_t>> ways;
  for (const LevelTree::Edge& edge : tree.edges)
    ways.emplace(edge.level, torus.way(torus.moved(edge.to, torus.back(edge.from))).displacement);
  EXPECT_EQ(ways.size(), 3U) << "one to a level";
}

TEST(TorusLattice, NumbersItsCosetsByTheirDistance) {
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(4,4)"));
  const TorusLattice lattice(torus, {2 * 4 + 2});
  EXPECT_EQ(lattice.nodes(), (std::vector<uint32_t>{0, 10}));
  EXPECT_EQ(lattice.num_cosets(), 8U);
  EXPECT_EQ(lattice.coset(10), 0U);
  EXPECT_EQ(lattice.radius(), 2U);
  for (uint32_t c = 1; c < 8; ++c) EXPECT_LE(lattice.length(c - 1), lattice.length(c));
}

using Figures = std::pair<uint64_t, uint64_t>;

// Near ones with no more ports than a node has links.
Figures judged(std::string_view name, std::string_view spec, uint32_t pieces, std::string_view member) {
  const Algorithm& card = *algorithm_catalog().find(name);
  Model model;
  model.switching = Switching::kShared;
  if (member.ends_with("-near")) {
    const Topology net = parse_topology(spec);
    model.send = model.receive = Ports{net.out_degree(NodeId{0})};
  }
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model, kNoNode, pieces);
  const PreparedPlan plan = prepare(card, problem).find(member);
  if (plan == nullptr) {
    ADD_FAILURE() << name << " on " << spec << " has no member " << member;
    return {0, 0};
  }
  Judge judge(problem);
  plan->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << to_text(verdict.findings.front());
  EXPECT_EQ(verdict.figures.critical_blocks, plan->prediction().critical_blocks);
  return {verdict.figures.start_ups, verdict.figures.critical_blocks};
}

TEST(AllreduceLattice, ExchangesTilesInOneStep) {
  EXPECT_EQ(judged("allreduce_lattice", "torus(4,4)", 64, "steps-5-near"), Figures(5, 36));
  EXPECT_EQ(judged("allreduce_lattice", "torus(8,8)", 256, "steps-9-near"), Figures(9, 140));
  EXPECT_EQ(judged("allreduce_lattice", "torus(8,8)", 256, "steps-6"), Figures(6, 154));
  EXPECT_EQ(judged("allreduce_lattice", "torus(4,4,4)", 384, "steps-7-near"), Figures(7, 136));
  EXPECT_EQ(judged("allreduce_lattice", "torus(5,5)", 4, "steps-2-near"), Figures(2, 16)) << "25 = 5 x 5";
  EXPECT_EQ(judged("allreduce_lattice", "torus(4,4)", 64, "steps-1"), Figures(1, 512)) << "all to all";
}

// What links in the busiest dimension carry is what is predicted.
TEST(AllreduceLattice, ServesToriOfUnequalSides) {
  EXPECT_EQ(judged("allreduce_lattice", "torus(4,8)", 64, "steps-4"), Figures(4, 48));
  EXPECT_EQ(judged("allreduce_lattice", "torus(2,3)", 12, "steps-2"), Figures(2, 12));
  EXPECT_EQ(judged("allreduce_lattice", "torus(3,5)", 30, "steps-4"), Figures(4, 18));
  EXPECT_EQ(judged("allgather_levels", "torus(4,8)", 2, "levels-3"), Figures(3, 19));
  EXPECT_EQ(judged("reduce_scatter_levels", "torus(2,2,3)", 2, "levels-2"), Figures(2, 7));
  const TorusClasses torus = *TorusClasses::of(parse_topology("torus(4,8)"));
  EXPECT_FALSE(near_level_tree(torus, 4));
}

TEST(AllreduceLattice, IsForSharedLinks) {
  EXPECT_TRUE(prepare(*algorithm_catalog().find("allreduce_lattice"),
                      standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAllreduce))
                  .fits.reason.find("shared") != std::string::npos);
}

TEST(AllgatherLevels, TradesStepsForBlocks) {
  EXPECT_EQ(judged("allgather_levels", "torus(4,4)", 4, "levels-2"), Figures(2, 18));
  EXPECT_EQ(judged("reduce_scatter_levels", "torus(4,4)", 4, "levels-3"), Figures(3, 16));
  EXPECT_EQ(judged("allreduce_levels", "torus(4,4)", 64, "levels-4"), Figures(8, 30));
  EXPECT_EQ(judged("allgather_levels", "torus(4,4)", 4, "levels-1"), Figures(1, 32));
}

}  // namespace torus_classes_test
}  // namespace quadrille
