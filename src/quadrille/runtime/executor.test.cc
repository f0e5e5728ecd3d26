#include "quadrille/runtime/executor.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/runtime/test_pattern.h"
#include "quadrille/runtime/thread_transport.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace executor_test {

// Bytes that are wrong after a program has run on threads.
uint64_t wrong_bytes(const Program& program, size_t block_bytes) {
  const BufferLayout layout(program.collective);
  std::vector<uint64_t> wrong(program.ranks.size());
  run_threads(static_cast<uint32_t>(program.ranks.size()), [&](Transport& transport) {
    const Rank rank = transport.rank();
    Executor executor(program.ranks[index(rank)], block_bytes);
    std::vector<std::byte> input(executor.input_bytes());
    std::vector<std::byte> output(executor.output_bytes());
    fill_input(layout, rank, block_bytes, 0, input);
    spoil_output(layout, rank, block_bytes, 0, output);
    executor.run(transport, input, output);
    wrong[index(rank)] = count_wrong_bytes(layout, rank, block_bytes, 0, output);
  });
  uint64_t total = 0;
  for (const uint64_t w : wrong) total += w;
  return total;
}

TEST(Executor, RunsBlocksOfEverySize) {
  for (const size_t block_bytes : {0U, 1U, 3U, 64U, 4096U, 10000U}) {
    EXPECT_EQ(wrong_bytes(lower(testing::ring_reduce_scatter(5, 2)), block_bytes), 0U);
    EXPECT_EQ(wrong_bytes(lower(testing::doubling_allreduce(3)), block_bytes), 0U);
    EXPECT_EQ(wrong_bytes(lower(testing::switch_allreduce(4)), block_bytes), 0U);
    EXPECT_EQ(wrong_bytes(lower(testing::direct_alltoall(6, 3)), block_bytes), 0U);
    for (const uint32_t ranks : {3U, 4U, 7U})
      EXPECT_EQ(wrong_bytes(lower(testing::both_ways_allreduce(ranks, 3)), block_bytes), 0U) << ranks;
  }
}

// Rank 0 keeps what comes from each rank apart, and sends every rank the sum of the others: sums of one step that have most
// of their parts in common. With `first`, something was added to its own before, so that it lies where sums are made.
Schedule all_but_yours(uint32_t ranks, bool first) {
  const Problem problem =
      standard_problem(parse_topology("complete(" + std::to_string(ranks) + ")"), CollectiveKind::kAllreduce);
  const auto arc = [&](uint32_t from, uint32_t to) {
    return *problem.topology().find_arc(NodeId{from}, NodeId{to});
  };
  Plan plan;
  StepBuilder step;
  const auto send = [&](uint32_t from, uint32_t to, SumSlots slots) {
    const ArcId path = arc(from, to);
    const BlockId block{0};
    step.add(std::span(&path, 1), std::span(&block, 1), TransferOp::kDefault, slots);
  };
  if (first) {
    send(1, 0, {.from = SumSlots::kAll, .to = 0});
    step.flush(plan);
  }
  for (uint32_t r = first ? 2 : 1; r < ranks; ++r) send(r, 0, {.from = SumSlots::kAll, .to = r});
  step.flush(plan);
  for (uint32_t r = first ? 2 : 1; r < ranks; ++r)
    send(0, r, {.from = (1U << ranks) - 1 - (1U << r), .to = 0});
  step.flush(plan);
  if (first) {
    step.add(arc(0, 1), BlockId{0}, TransferOp::kCopy);
    step.flush(plan);
  }
  return testing::judged(problem, std::move(plan));
}

TEST(Executor, AddsUpSumsThatHavePartsInCommon) {
  for (const uint32_t ranks : {3U, 4U, 6U}) {
    EXPECT_EQ(wrong_bytes(lower(all_but_yours(ranks, false)), 24), 0U) << ranks;
    EXPECT_EQ(wrong_bytes(lower(all_but_yours(ranks, true)), 24), 0U) << ranks;
  }
}

TEST(Executor, AProgramThatForgetsALocalMoveGivesWrongBytes) {
  const Program good = lower(testing::ring_reduce_scatter(4));
  for (size_t a = 0; a < good.ranks[2].actions.size(); ++a) {
    if (good.ranks[2].actions[a].kind != ActionKind::kReduce) continue;
    Program bad = good;
    bad.ranks[2].actions.erase(bad.ranks[2].actions.begin() + static_cast<ptrdiff_t>(a));
    EXPECT_GT(wrong_bytes(bad, 16), 0U);
  }
}

TEST(Executor, AMessageInTheWrongSlotGivesWrongBytes) {
  Program bad = lower(testing::direct_alltoall(4));
  for (SlotRun& run : bad.ranks[1].runs) {
    if (run == SlotRun{Buffer::kInput, 2, 1}) run.first = 3;
  }
  // Bytes of a pattern coincide now and then: nearly all of the block is wrong.
  EXPECT_GT(wrong_bytes(bad, 1000), 950U);
  EXPECT_LE(wrong_bytes(bad, 1000), 1000U);
}

TEST(Executor, RunsAgainWithOtherBuffers) {
  const Program program = lower(testing::doubling_allreduce(2));
  run_threads(4, [&](Transport& transport) {
    Executor executor(program.ranks[index(transport.rank())], 8, kSumWords);
    for (uint64_t round = 1; round <= 3; ++round) {
      std::vector<std::byte> input(8);
      std::vector<std::byte> output(8);
      input[1] = static_cast<std::byte>(round * 70);  // carries from byte to byte
      executor.run(transport, input, output);
      EXPECT_EQ(std::to_integer<uint64_t>(output[1]) + 256 * std::to_integer<uint64_t>(output[2]),
                round * 70 % 256 * 4);
    }
  });
}

TEST(Executor, RefusesBlocksThatCannotBe) {
  const Program program = lower(testing::doubling_allreduce(2));
  EXPECT_EQ(error_of([&] { Executor(program.ranks[0], 12, kSumWords); }),
            "blocks of 12 bytes do not hold whole elements of 8 bytes (sum_words)");
  EXPECT_EQ(error_of([&] { Executor(lower(testing::direct_alltoall(3)).ranks[0], SIZE_MAX / 4); }),
            "3 blocks of 4611686018427387903 bytes are more than memory can hold");
}

}  // namespace executor_test
}  // namespace quadrille
