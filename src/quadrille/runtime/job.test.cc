#include "quadrille/runtime/job.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

TEST(Job, EveryByteArrivesForEveryCollectiveOnEverySortOfTopology) {
  uint64_t seed = 0;
  for (const Topology& net : testing::small_topologies()) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
        const uint32_t pieces = 1 + static_cast<uint32_t>(seed % 2);
        const NodeId root = net.endpoints()[seed % net.num_endpoints()];
        const Problem problem = standard_problem(net, kind, {.switching = switching}, root, pieces);
        const Schedule schedule = testing::random_schedule(problem, ++seed);
        const JobResult result = run_on_threads(schedule, {.block_bytes = 3, .iterations = 2});
        EXPECT_TRUE(result.correct()) << problem.title() << ", seed " << seed << ": " << result.wrong_bytes
                                      << " of " << result.bytes_checked << " bytes are wrong";
        EXPECT_GT(result.bytes_checked, 0U);
      }
    }
  }
}

}  // namespace
}  // namespace quadrille
