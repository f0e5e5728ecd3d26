#include "quadrille/runtime/job.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/program/array_layout.h"
#include "quadrille/program/sample_schedules.test.h"

namespace quadrille {
namespace job_test {

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

TEST(Job, SlicesOfArraysArriveAsWell) {
  uint64_t seed = 7;
  for (const Topology& net : testing::small_topologies()) {
    for (const CollectiveKind kind :
         {CollectiveKind::kScatter, CollectiveKind::kGather, CollectiveKind::kAlltoall}) {
      if (net.has_routers()) continue;
      const Model model{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
      const Problem problem = standard_problem(net, kind, model, net.endpoints().back(), 2);
      const Schedule schedule = testing::random_schedule(problem, ++seed);
      const ArrayLayout arrays = lay_out_arrays(schedule);
      const JobResult result =
          run_on_threads(schedule, {.block_bytes = 3, .iterations = 2, .arrays = &arrays});
      EXPECT_TRUE(result.correct()) << problem.title() << ", seed " << seed << ": " << result.wrong_bytes;
    }
  }
}

TEST(Job, SaysWhatItMoved) {
  const JobResult result =
      run_on_threads(testing::direct_alltoall(4, 2), {.block_bytes = 10, .iterations = 3});
  EXPECT_EQ(result.messages, 12U);
  EXPECT_EQ(result.bytes_sent, 240U);
  EXPECT_EQ(result.bytes_local, 80U);
  EXPECT_EQ(result.scratch_bytes, 0U);
  EXPECT_EQ(result.bytes_checked, 3U * 4 * 8 * 10);
  EXPECT_TRUE(result.correct());
  EXPECT_GT(result.seconds, 0);
}

TEST(Job, EmptyBlocksArriveToo) {
  for (const Schedule& schedule : {testing::direct_alltoall(4), testing::switch_allreduce(3)}) {
    const JobResult result = run_on_threads(schedule, {.block_bytes = 0});
    EXPECT_TRUE(result.correct());
    EXPECT_EQ(result.bytes_checked, 0U);
    EXPECT_GT(result.messages, 0U);
  }
}

TEST(Job, MoreBytesThanThereAreIsBadInput) {
  const Schedule schedule = testing::direct_alltoall(4);
  const auto error = [&](size_t block_bytes) -> std::string {
    try {
      (void)run_on_threads(schedule, {.block_bytes = block_bytes});
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(error(size_t{1} << 50U).find("need 33554432.0 GiB for the buffers of all ranks"),
            std::string::npos)
      << error(size_t{1} << 50U);
  EXPECT_NE(error(SIZE_MAX).find("for the buffers of all ranks; this machine has"), std::string::npos);
}

TEST(Job, ItsTimeIsToldWithTheRateInBinaryUnits) {
  const double bytes = 3.0 * (1U << 30U);
  EXPECT_EQ(speed_text(2, 1, bytes), "2.00 s, 1.5 GiB/s");
  EXPECT_EQ(speed_text(2, 4, 4 * bytes), "2.00 s for 4 runs, 6.0 GiB/s");
  EXPECT_EQ(speed_text(0.01987, 1, 10), "19.87 ms, 503 B/s");
  EXPECT_EQ(speed_text(0, 1, 0), "0 us, 0 B/s");
}

}  // namespace job_test
}  // namespace quadrille
