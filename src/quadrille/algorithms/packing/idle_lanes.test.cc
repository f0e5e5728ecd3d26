#include "quadrille/algorithms/packing/idle_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_bruck;
extern const Algorithm alltoall_pairwise;
}  // namespace algorithms

namespace idle_lanes_test {

// Eight endpoints of twelve lanes each around a switch: arcs in order of their ends.
Problem box(Model model) {
  model.switching = Switching::kWormhole;
  return standard_problem(parse_topology("fat_tree(8;12)"), CollectiveKind::kAlltoall, model, NodeId{0}, 100);
}

std::vector<ArcId> way(const Topology& net, uint32_t from, uint32_t to) {
  const NodeId hub = net.head(*net.arcs_from(net.endpoint(Rank{from})).begin());
  std::vector<ArcId> out;
  for (const ArcId arc : net.arcs())
    if (net.tail(arc) == net.endpoint(Rank{from}) && net.head(arc) == hub) out.push_back(arc);
  for (const ArcId arc : net.arcs())
    if (net.tail(arc) == hub && net.head(arc) == net.endpoint(Rank{to})) out.push_back(arc);
  return out;
}

struct Sent {
  uint32_t from, to;
  size_t blocks;
};

// The blocks of each worm that comes out.
std::vector<size_t> parted(const Problem& problem, const std::vector<Sent>& worms) {
  IdleLanes lanes(problem);
  uint32_t next = 0;
  size_t all = 0;
  for (const Sent& worm : worms) {
    std::vector<BlockId> blocks(worm.blocks);
    for (BlockId& block : blocks) block = BlockId{next++};
    all += worm.blocks;
    lanes.add(way(problem.topology(), worm.from, worm.to), blocks);
  }
  StepBuilder step;
  lanes.flush(step);
  const StepView view = step.view();
  std::vector<size_t> out;
  std::vector<uint32_t> on_arc(problem.topology().num_arcs(), 0);
  uint32_t expected = 0;
  for (size_t t = 0; t < view.size(); ++t) {
    out.push_back(view.blocks(t).size());
    for (const BlockId block : view.blocks(t)) EXPECT_EQ(index(block), expected++);
    for (const ArcId arc : view.arcs(t))
      EXPECT_LE(++on_arc[index(arc)], std::max<size_t>(problem.topology().capacity(arc), worms.size()));
  }
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), size_t{0}), all);
  // Nothing is left for the next step.
  StepBuilder empty;
  lanes.flush(empty);
  EXPECT_TRUE(empty.empty());
  return out;
}

TEST(IdleLanes, ALongWormGoesSideBySide) {
  EXPECT_EQ(parted(box({}), {{0, 1, 12}}), std::vector<size_t>(12, 1));
  EXPECT_EQ(parted(box({}), {{0, 1, 5}}), std::vector<size_t>(5, 1));
  EXPECT_EQ(parted(box({}), {{0, 1, 25}}), (std::vector<size_t>{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}));
}

TEST(IdleLanes, TheLongestHasThemFirst) {
  // Both leave the same endpoint, so they share its twelve lanes.
  const std::vector<size_t> found = parted(box({}), {{0, 1, 30}, {0, 2, 6}});
  EXPECT_EQ(found.size(), 12U);
  EXPECT_EQ(*std::max_element(found.begin(), found.end()), 3U);
  // Those of different endpoints do not.
  EXPECT_EQ(parted(box({}), {{0, 1, 12}, {1, 0, 12}}), std::vector<size_t>(24, 1));
}

TEST(IdleLanes, NoWormGoesWhereThereIsNoPort) {
  EXPECT_EQ(parted(box({.send = kOnePort, .receive = kOnePort}), {{0, 1, 12}}), std::vector<size_t>{12});
  EXPECT_EQ(parted(box({.send = Ports{5}, .receive = Ports{3}}), {{0, 1, 12}}),
            (std::vector<size_t>{4, 4, 4}));
  EXPECT_EQ(parted(box({.send = Ports{3}, .receive = kAllPorts}), {{0, 1, 8}, {0, 2, 2}}),
            (std::vector<size_t>{4, 4, 2}));
}

TEST(IdleLanes, LinksOfOneLaneKeepTheirWorms) {
  const Topology star = parse_topology("fat_tree(8;1)");
  const Problem problem =
      standard_problem(star, CollectiveKind::kAlltoall, {.switching = Switching::kWormhole}, NodeId{0}, 3);
  EXPECT_EQ(parted(problem, {{0, 1, 3}, {2, 3, 1}}), (std::vector<size_t>{3, 1}));
}

TEST(IdleLanes, PairwiseExchangeBehindASwitchUsesAllLinksInAllSteps) {
  // 7 others, 12 links, 12 pieces: 7 steps of one round each; the judge counts.
  const Problem problem = standard_problem(parse_topology("fat_tree(8;12)"), CollectiveKind::kAlltoall,
                                           {.switching = Switching::kWormhole}, NodeId{0}, 12);
  for (const Algorithm* card : {&algorithms::alltoall_pairwise, &algorithms::alltoall_bruck}) {
    Plan plan;
    prepare(*card, problem).plans.front()->generate(plan);
    const Verification judged = verify(problem, plan);
    ASSERT_TRUE(judged.verdict.passed()) << to_text(judged.verdict.findings.front());
    if (card != &algorithms::alltoall_pairwise) continue;
    EXPECT_EQ(judged.verdict.figures.start_ups, 7U);
    EXPECT_EQ(judged.verdict.figures.critical_blocks, 7U);
  }
}

TEST(IdleLanes, TheJudgePassesWhatIsPartedOnNetworksOfUnequalLinks) {
  for (const std::string_view spec :
       {"fat_tree(2^3;exponential)", "fat_tree(3^2;constant)", "fat_tree(4;3)", "star(4)", "ring(3)"}) {
    for (const uint32_t ports : {0U, 1U, 2U}) {
      for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
        const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall,
                                                 {.send = Ports{ports},
                                                  .receive = Ports{ports},
                                                  .switching = Switching::kWormhole,
                                                  .duplex = duplex},
                                                 NodeId{0}, 5);
        EXPECT_GT(judged_steps(algorithms::alltoall_pairwise, problem), 0U) << spec << " " << ports;
        EXPECT_GT(judged_steps(algorithms::alltoall_bruck, problem), 0U) << spec << " " << ports;
      }
    }
  }
}

}  // namespace idle_lanes_test
}  // namespace quadrille
