// Gossip by worms over few centres: everybody is heard of, in fewer steps than over one.
#include "quadrille/algorithms/worm_exchange/few_centres.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <tuple>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace algorithms {
extern const Algorithm allgather_centres;
extern const Algorithm allreduce_centres;
}  // namespace algorithms

namespace few_centres_test {

Problem worms(std::string_view spec, CollectiveKind kind, Model model) {
  model.switching = Switching::kWormhole;
  return standard_problem(parse_topology(spec), kind, model);
}

TEST(FewCentres, ServesEveryNetwork) {
  for (const std::string_view spec :
       {"line(3)", "line(4)", "line(9)", "ring(6)", "tree(2,3)", "mesh(3,5)", "torus(4,4)", "complete(7)",
        "jellyfish(8,3,2;1)", "dragonfly(2,4,2)", "megafly(2,2,2,1)", "xgft(4,4;1,2)", "fat_tree(2,4)",
        "random_regular(30,3;1)"}) {
    for (const uint32_t count : {0U, 1U, 2U}) {
      for (const Duplex duplex : {Duplex::kFull, Duplex::kHalf}) {
        Model model = ports(count);
        model.duplex = duplex;
        EXPECT_GT(judged_steps(algorithms::allgather_centres, worms(spec, CollectiveKind::kAllgather, model)),
                  0U);
        EXPECT_GT(judged_steps(algorithms::allreduce_centres, worms(spec, CollectiveKind::kAllreduce, model)),
                  0U);
      }
    }
  }
}

TEST(FewCentres, SaveStepsOnLargeNetworks) {
  for (const auto& [spec, gossip, sums] : {std::tuple{"random_regular(144,3;4)", 13U, 15U},
                                           {"random_regular(200,5;1)", 12U, 14U},
                                           {"mesh(11,12)", 12U, 13U},
                                           {"jellyfish(40,4,4;1)", 13U, 14U}}) {
    EXPECT_LE(judged_steps(algorithms::allgather_centres, worms(spec, CollectiveKind::kAllgather, ports(1))),
              gossip)
        << spec;
    EXPECT_LE(judged_steps(algorithms::allreduce_centres, worms(spec, CollectiveKind::kAllreduce, ports(1))),
              sums)
        << spec;
  }
}

TEST(FewCentres, TellEachOtherWhatTheyWereTold) {
  const auto gossips =
      gossips_over_centres(worms("random_regular(40,3;1)", CollectiveKind::kAllgather, ports(1)));
  for (const CentreGossip& gossip : *gossips) {
    const std::set<NodeId> centres(gossip.centres.begin(), gossip.centres.end());
    std::set<NodeId> told = centres;
    for (const auto& step : gossip.in) {
      for (const GossipWorm& worm : step) {
        EXPECT_FALSE(centres.contains(worm.from));
        EXPECT_TRUE(told.insert(worm.from).second);
      }
    }
    EXPECT_EQ(told.size(), 40U);
    EXPECT_EQ(gossip.in.size(), gossip.out.size());
    EXPECT_EQ(gossip.among.empty(), centres.size() == 1);
  }
}

}  // namespace few_centres_test
}  // namespace quadrille
