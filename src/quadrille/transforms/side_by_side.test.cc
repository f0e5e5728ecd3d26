#include "quadrille/transforms/side_by_side.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/queries/symmetry.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/relabel.h"
#include "quadrille/verify/verify.h"

namespace quadrille::side_by_side_test {
namespace {

TEST(SideBySide, APlanAndItsMirrorImagesAreAPlanForTwiceAsManyPieces) {
  for (const char* spec : {"line(3)", "ring(4)", "mesh(2,3)", "fat_tree(2^2)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Model& model :
           {Model{}, Model{.packets = Packets::kMany}, Model{.switching = Switching::kWormhole},
            Model{.packets = Packets::kMany, .duplex = Duplex::kHalf},
            Model{.send = kOnePort, .receive = kOnePort, .switching = Switching::kShared}}) {
        const Problem half = standard_problem(topology, kind, model);
        const Problem whole = standard_problem(topology, kind, model, kNoNode, 2);
        const auto fixed =
            half.collective().root() ? std::optional(topology.endpoint(Rank{0})) : std::nullopt;
        for (const Algorithm* card : algorithm_catalog()) {
          if (card->collective != kind) continue;
          const Preparation ready = prepare(*card, half);
          if (!ready.fits.applies) continue;
          Plan plan;
          ready.plans.front()->generate(plan);
          for (const std::vector<NodeId>& image : some_symmetries(topology, fixed, 2)) {
            const std::optional<Plan> both = side_by_side(whole, plan, relabel(half, plan, image));
            if (!both) {
              EXPECT_TRUE(!model.send.unlimited() || model.duplex == Duplex::kHalf)
                  << card->name << " " << half.title();
              continue;
            }
            const Verification judged = verify(whole, *both);
            EXPECT_TRUE(judged.verdict.passed()) << card->name << " " << whole.title();
            EXPECT_LE(both->num_steps(), 2 * plan.num_steps());
          }
        }
      }
    }
  }
}

// One way round a ring leaves the other idle.
TEST(SideBySide, OneWayRoundAndTheOtherWayTakeNoLongerThanOne) {
  const Topology ring = parse_topology("ring(7)");
  const Problem half = standard_problem(ring, CollectiveKind::kAllgather);
  Plan plan;
  prepare(*algorithm_catalog().find("allgather_ring"), half).plans.front()->generate(plan);
  std::vector<NodeId> mirror;
  for (uint32_t v = 0; v < 7; ++v) mirror.push_back(NodeId{(7 - v) % 7});
  const Problem whole = standard_problem(ring, CollectiveKind::kAllgather, {}, kNoNode, 2);
  const std::optional<Plan> both = side_by_side(whole, plan, relabel(half, plan, mirror));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->num_steps(), 6U);
  EXPECT_TRUE(verify(whole, *both).verdict.passed());
}

}  // namespace
}  // namespace quadrille::side_by_side_test
