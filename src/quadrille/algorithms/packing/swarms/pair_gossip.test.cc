// Pair gossip: its plans through the judge, in no fewer steps than any and few more.
#include "quadrille/algorithms/packing/swarms/pair_gossip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_pair_gossip;
extern const Algorithm alltoall_pair_gossip;
extern const Algorithm reduce_scatter_pair_gossip;
}  // namespace algorithms

namespace pair_gossip_test {

Problem bundles(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces = 1) {
  Model model = ports(count);
  model.packets = Packets::kMany;
  return standard_problem(parse_topology(spec), kind, model, NodeId{0}, pieces);
}

TEST(PairGossip, ServesAnyGraphWithAnyPorts) {
  for (const std::string_view spec :
       {"line(2)", "line(7)", "ring(5)", "star(4)", "kautz(2,3)", "mesh(3,4)", "tree(2,3)", "complete(7)",
        "random_regular(24,3;1)", "generalized_petersen(5,2)"}) {
    for (const uint32_t count : {1U, 2U, 0U}) {
      if (count == 2 && parse_topology(spec).num_nodes() == 2) continue;
      for (const uint32_t pieces : {1U, 2U}) {
        for (const Algorithm* card : {&algorithms::allgather_pair_gossip, &algorithms::alltoall_pair_gossip,
                                      &algorithms::reduce_scatter_pair_gossip}) {
          const Problem problem = bundles(spec, card->collective, count, pieces);
          if (!card->applies(problem).applies) continue;  // no node of it has two links
          EXPECT_GE(judged_steps(*card, problem), gossip_at_least(problem)) << spec << " with " << count;
        }
      }
    }
  }
}

TEST(PairGossip, TakesLittleMoreThanDoublingWithOnePort) {
  struct Row {
    std::string_view spec;
    uint64_t least;
    uint64_t steps;
  };
  for (const Row& row : {Row{"random_regular(64,4;1)", 6, 11}, Row{"random_regular(256,5;1)", 8, 14},
                         Row{"slim_fly(5)", 6, 9}, Row{"kautz(3,4)", 7, 10}}) {
    const Problem gather = bundles(row.spec, CollectiveKind::kAllgather, 1);
    EXPECT_EQ(gossip_at_least(gather), row.least) << row.spec;
    EXPECT_LE(judged_steps(algorithms::allgather_pair_gossip, gather), row.steps) << row.spec;
    EXPECT_LE(judged_steps(algorithms::alltoall_pair_gossip, bundles(row.spec, CollectiveKind::kAlltoall, 1)),
              row.steps)
        << row.spec;
  }
}

// The news of every origin come to every node once, from who had them before the step; so few a message, if so few may be.
TEST(PairGossip, TellsEverybodyOnce) {
  for (const uint32_t limit : {UINT32_MAX, 5U, 1U}) {
    const Problem problem = bundles("random_regular(30,3;2)", CollectiveKind::kAllgather, 2);
    const Topology& net = problem.topology();
    const PairGossip gossip(problem, limit);
    std::set<std::pair<NodeId, uint32_t>> told;
    for (const NodeId v : net.nodes()) told.emplace(v, static_cast<uint32_t>(index(v)));
    uint64_t rounds = 0;
    for (uint32_t t = 0; t < gossip.num_steps(); ++t) {
      size_t most = 0;
      const std::set<std::pair<NodeId, uint32_t>> before = told;
      for (const PairGossip::Message& message : gossip.messages(t)) {
        for (const uint32_t origin : gossip.origins(message)) {
          EXPECT_TRUE(before.contains({net.tail(message.arc), origin}));
          EXPECT_TRUE(told.emplace(net.head(message.arc), origin).second);
        }
        most = std::max(most, gossip.origins(message).size());
      }
      EXPECT_LE(most, limit);
      rounds += most;
    }
    EXPECT_EQ(told.size(), 30U * 30U);
    EXPECT_EQ(gossip.rounds(), rounds);
  }
}

TEST(PairGossip, SmallMessagesHaveFewRounds) {
  for (const std::string_view spec : {"random_regular(64,4;1)", "kautz(3,4)", "slim_fly(5)", "star(5)"}) {
    const Problem gather = bundles(spec, CollectiveKind::kAllgather, 1);
    const uint64_t others = gather.collective().num_ranks() - 1;
    const PairGossip whole(gather);
    const PairGossip small(gather, 4);
    EXPECT_GT(small.num_steps(), whole.num_steps()) << spec;
    EXPECT_GT(whole.rounds(), others * 3 / 2) << spec;
    EXPECT_LE(small.rounds(), others * 5 / 4) << spec;
  }
}

TEST(PairGossip, SaysWhatItDoesNotServe) {
  Model half = ports(1);
  half.packets = Packets::kMany;
  half.duplex = Duplex::kHalf;
  for (const Algorithm* card : {&algorithms::allgather_pair_gossip, &algorithms::alltoall_pair_gossip}) {
    EXPECT_FALSE(card->applies(standard_problem(parse_topology("ring(4)"), card->collective, half)).applies);
    EXPECT_FALSE(
        card->applies(standard_problem(parse_topology("ring(4)"), card->collective, ports(1))).applies);
    EXPECT_FALSE(card->applies(bundles("clos(4)", card->collective, 1)).applies);
    EXPECT_FALSE(card->applies(bundles("line(1)", card->collective, 0)).applies);
  }
}

}  // namespace pair_gossip_test
}  // namespace quadrille
