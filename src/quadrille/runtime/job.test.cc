#include "quadrille/runtime/job.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

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

TEST(Job, ItsTimesAreToldByTheLeastTheMiddleAndTheMost) {
  const auto text = [](std::vector<double> seconds) { return times_text(seconds); };
  EXPECT_EQ(text({0.01987}), "19.87 ms");
  EXPECT_EQ(text({3, 1, 2}), "min 1.00 s, median 2.00 s, max 3.00 s of 3 runs");
  EXPECT_EQ(text({4e-6, 1e-6, 2e-6, 8e-6}), "min 1 us, median 3 us, max 8 us of 4 runs");
}

TEST(Job, ItsBandwidthIsWhatUsersCompare) {
  const auto text = [](CollectiveKind kind) {
    return to_text(bandwidth_of(Collective::standard(kind, 4, Rank{0}, 2), 1'000'000, 1e-3));
  };
  EXPECT_EQ(text(CollectiveKind::kAllreduce), "1 GB/s, on the bus 1.5 GB/s");
  EXPECT_EQ(text(CollectiveKind::kBroadcast), "1 GB/s, on the bus 1 GB/s");
  EXPECT_EQ(text(CollectiveKind::kAlltoall), "4 GB/s, on the bus 3 GB/s");
  EXPECT_EQ(bandwidth_of(Collective::standard(CollectiveKind::kReduce, 4, Rank{0}, 1), 5, 0).bus, 0);
}

// Every type with every operator that is for it, on sums that wait in slots and go round both ways.
TEST(Job, NumbersAreCombinedByEveryOperator) {
  const Schedule schedule = testing::switch_allreduce(5);
  for (int type = 0; type <= static_cast<int>(ElementType::kDouble); ++type) {
    for (int op = 0; op < static_cast<int>(ElementOperator::kCompose); ++op) {
      const Elements elements{ElementType(type), ElementOperator(op)};
      SCOPED_TRACE(std::string(to_text(elements.type)) + " " + std::string(to_text(elements.op)));
      JobOptions options{.block_bytes = 240, .elements = elements, .iterations = 2};
      if (is_floating(elements.type) && op >= 4 && op <= 6) {
        EXPECT_THROW((void)run_on_threads(schedule, options), InputError);
        continue;
      }
      const JobResult result = run_on_threads(schedule, options);
      EXPECT_TRUE(result.correct()) << result.wrong_bytes;
      EXPECT_EQ(result.bytes_checked, 2U * 5 * 240);
      EXPECT_LE(result.error, 1);
      EXPECT_EQ(result.times.size(), 2U);
    }
  }
}

TEST(Job, AnOperatorThatDoesNotCommuteNeedsAPlanInOrder) {
  const Model ordered{.combining = Operator::kOrdered};
  const Topology net = parse_topology("line(5)");
  Plan plan;
  StepBuilder step;
  const auto add = [&](uint32_t from, uint32_t to) {
    step.add(*net.find_arc(NodeId{from}, NodeId{to}), BlockId{0});
  };
  add(0, 1);
  add(4, 3);
  step.flush(plan);
  add(1, 2);
  add(3, 2);
  step.flush(plan);
  for (const char* type : {"int16", "double", "bfloat16"}) {
    const Elements compose{parse_element_type(type), ElementOperator::kCompose};
    const JobOptions options{.block_bytes = 160, .elements = compose};
    const Problem in_order = standard_problem(net, CollectiveKind::kReduce, ordered, NodeId{2});
    const JobResult result = run_on_threads(*verify(in_order, plan).schedule, options);
    EXPECT_TRUE(result.correct()) << type << " " << result.wrong_bytes;
    const Problem in_any = standard_problem(net, CollectiveKind::kReduce, {}, NodeId{2});
    EXPECT_EQ(
        error_of([&] { (void)run_on_threads(*verify(in_any, plan).schedule, options); }),
        "--op compose does not commute, and this plan need not combine ranks in order (rule ranks_in_order): "
        "it has to be one for --operator ordered");
  }
}

}  // namespace job_test
}  // namespace quadrille
