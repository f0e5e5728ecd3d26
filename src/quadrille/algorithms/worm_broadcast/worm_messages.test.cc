// Scatter, gather and allgather by worms, and broadcast with one port: judged, with their steps and bounds.
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_wormhole_best;
extern const Algorithm broadcast_wormhole_best;
extern const Algorithm broadcast_wormhole_one_port;
extern const Algorithm gather_wormhole_best;
extern const Algorithm scatter_wormhole_best;
}  // namespace algorithms

namespace worm_messages_test {

struct Outcome {
  uint64_t steps = 0;
  uint64_t bound = 0;
};

Outcome judged(const Algorithm& card, std::string_view spec, uint32_t root = 0, Ports ports = kAllPorts) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = Routing::kDimensionOrder;
  model.send = model.receive = ports;
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model, NodeId{root});
  EXPECT_TRUE(card.applies(problem).applies) << card.applies(problem).reason;
  Judge judge(problem);
  card.plan_for(problem)->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << problem.title() << ": " << to_text(verdict.findings.front());
  const Prediction prediction = card.plan_for(problem)->prediction();
  EXPECT_EQ(verdict.figures.steps, prediction.steps) << problem.title();
  EXPECT_EQ(verdict.figures.critical_blocks, prediction.critical_blocks) << problem.title();
  return {verdict.figures.steps, static_cast<uint64_t>(best_bound(problem).value.ceil())};
}

TEST(WormMessages, ScatterAndGatherTakeTheStepsOfABroadcast) {
  for (const std::string_view spec :
       {"torus(6,6)", "torus(3,4,5)", "torus(11,11)", "mesh(5,9)", "hypercube(4)", "torus(4,1,7)"}) {
    const uint64_t broadcast = judged(algorithms::broadcast_wormhole_best, spec, 5).steps;
    EXPECT_EQ(judged(algorithms::scatter_wormhole_best, spec, 5).steps, broadcast) << spec;
    const Outcome gather = judged(algorithms::gather_wormhole_best, spec, 5);
    EXPECT_LE(gather.steps, gather.bound + 1) << spec;
  }
}

TEST(WormMessages, GatherIsOrderedTheOtherWay) {
  // The long side last is good for who informs, the long side first for who hears.
  EXPECT_EQ(judged(algorithms::scatter_wormhole_best, "torus(73,7)").bound, 5U);
  EXPECT_EQ(judged(algorithms::gather_wormhole_best, "torus(73,7)").bound, 4U);
}

TEST(WormMessages, AllgatherIsAGatherAndABroadcast) {
  for (const std::string_view spec :
       {"torus(6,6)", "torus(3,4,5)", "mesh(5,9)", "torus(2,2)", "hypercube(4)"}) {
    const Outcome outcome = judged(algorithms::allgather_wormhole_best, spec);
    EXPECT_LE(outcome.steps, 2 * outcome.bound + 2) << spec;
  }
}

TEST(BroadcastWormholeOnePort, DoublesOnEveryTorusAndMesh) {
  for (uint32_t a = 2; a <= 9; ++a) {
    for (uint32_t b = 2; b <= 9; ++b) {
      for (const char* form : {"torus({},{})", "mesh({},{})"}) {
        const Outcome outcome =
            judged(algorithms::broadcast_wormhole_one_port, fmt::format(fmt::runtime(form), a, b),
                   (7 * a + b) % (a * b), kOnePort);
        EXPECT_EQ(outcome.steps, outcome.bound);
      }
    }
  }
  for (const std::string_view spec :
       {"torus(3,5,7)", "mesh(5,3,4)", "torus(7,73)", "torus(73,7)", "torus(5,51)", "torus(3,3,3,3)",
        "mesh(2,2,2,2,2)", "torus(127)", "torus(3,21,4)"}) {
    const Outcome outcome = judged(algorithms::broadcast_wormhole_one_port, spec, 17, kOnePort);
    EXPECT_EQ(outcome.steps, outcome.bound) << spec;
  }
}

}  // namespace worm_messages_test
}  // namespace quadrille
