#include "quadrille/algorithms/placed_ranks/worth_placing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace worth_placing_test {
namespace {

// What is refused for taking at least so many steps takes no fewer.
TEST(WorthPlacing, RefusesNothingThatTakesFewerSteps) {
  for (const char* spec : {"mesh(9,15)", "torus(4,36)", "hypercube(8)", "complete(130)", "clos(8)"}) {
    const Topology net = parse_topology(spec);
    for (const Switching switching : {Switching::kWormhole, Switching::kShared}) {
      for (const bool one_port : {false, true}) {
        Model model = one_port ? Model{.send = kOnePort, .receive = kOnePort} : Model{};
        model.switching = switching;
        const Problem problem = standard_problem(net, CollectiveKind::kAllgather, model);
        for (const char* name : {"allgather_bruck", "allgather_two_way_ring", "allgather_recursive_doubling",
                                 "allgather_bucket", "allgather_pat"}) {
          const Preparation ready = prepare(*algorithm_catalog().find(name), problem);
          if (!ready.fits.applies) continue;
          for (const PreparedPlan& plan : ready.plans) {
            const Prediction taken = plan->prediction();
            ASSERT_TRUE(taken.steps) << name << " " << spec;
            if (net.num_nodes() == 135) {
              // Where that is too much it is given up, and made in the end all the same.
              const WorthMaking fewer(*taken.steps);
              const PreparedPlan unwanted =
                  prepare(*algorithm_catalog().find(name), problem).find(plan->member());
              EXPECT_GE(unwanted->prediction().steps.value_or(UINT64_MAX), *taken.steps);
              Plan made;
              unwanted->generate(made);
              EXPECT_EQ(made.num_steps(), taken.steps) << name << " " << spec;
            }
            // The same, where one step more would do.
            const WorthMaking wanted(*taken.steps + 1);
            const Preparation again = prepare(*algorithm_catalog().find(name), problem);
            EXPECT_EQ(again.find(plan->member())->prediction().steps, taken.steps) << name << " " << spec;
            if (!taken.start_ups || !taken.critical_blocks) continue;
            // And where half a round more would.
            const auto time = static_cast<double>(*taken.start_ups + *taken.critical_blocks) + 0.5;
            const WorthMaking faster(UINT64_MAX, false, {.than = time, .of_start_up = 1, .of_round = 1});
            const Preparation timed = prepare(*algorithm_catalog().find(name), problem);
            EXPECT_EQ(timed.find(plan->member())->prediction().steps, taken.steps) << name << " " << spec;
          }
        }
      }
    }
  }
}

TEST(WorthPlacing, KnowsWhatHopsAndPortsTake) {
  const Topology net = parse_topology("line(200)");
  Model worms;
  worms.switching = Switching::kWormhole;
  const Problem problem = standard_problem(net, CollectiveKind::kAllgather, worms);
  RankRounds rounds;  // all to the rank half way round: 100 links each, of 398
  const BlockId block{0};
  for (uint32_t v = 0; v < 200; ++v) rounds.send(v, (v + 100) % 200, {&block, 1});
  rounds.end_round();
  EXPECT_TRUE(are_worth_placing(problem, rounds, true));
  {
    const WorthMaking wanted(52);
    EXPECT_TRUE(are_worth_placing(problem, rounds, true));
  }
  {
    const WorthMaking wanted(51);
    EXPECT_FALSE(are_worth_placing(problem, rounds, true));
  }
  // Two messages of a rank are two steps of one port.
  const Problem one =
      standard_problem(net, CollectiveKind::kAllgather,
                       {.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole});
  const RoundsMember member{.rounds = nullptr, .outline = [](const Problem&) -> std::optional<RoundsOutline> {
                              return RoundsOutline{
                                  .rounds = 10, .blocks = 10, .messages = 2, .further_messages = 10};
                            }};
  const WorthMaking wanted(20);
  EXPECT_TRUE(are_worth_making(problem, member));
  EXPECT_FALSE(are_worth_making(one, member));
}

}  // namespace
}  // namespace worth_placing_test
}  // namespace quadrille
