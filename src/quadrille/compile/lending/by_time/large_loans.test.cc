#include "quadrille/compile/lending/by_time/large_loans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/compile/compile.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace large_loans_test {

constexpr uint64_t kBytes = uint64_t{1} << 20U;

Problem timed(const char* spec, CollectiveKind kind, Switching switching, Packets packets = Packets::kMany) {
  if (switching == Switching::kWormhole) packets = Packets::kOne;  // worms carry any number
  return standard_problem(
      parse_topology(spec), kind,
      {.switching = switching, .packets = packets, .cost = {.ts = 1, .tx = 8e-5, .in_microseconds = true}});
}

double time_of_plan(const Problem& problem, bool any_packets) {
  Wishes wishes{.bytes = kBytes, .any_pieces = true};
  wishes.any_packets = any_packets;
  const Compiled made = compile(problem, wishes);
  EXPECT_TRUE(made.verdict.passed());
  EXPECT_LE(made.time->least, made.time->total * (1 + 1e-9));
  return made.time->total;
}

// Twenty nodes too many for every lender to be asked.
constexpr const char* kNetwork = "random_regular(148,4;1)";

TEST(LargeLoans, WhoeverMaySendManyPacketsOrWormsIsNoSlowerThanWithSinglePackets) {
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    const double single = time_of_plan(timed(kNetwork, kind, Switching::kPacket, Packets::kOne), false);
    EXPECT_LE(time_of_plan(timed(kNetwork, kind, Switching::kPacket, Packets::kOne), true), single);
    EXPECT_LE(time_of_plan(timed(kNetwork, kind, Switching::kWormhole), false), single);
  }
}

TEST(LargeLoans, PacketsAreLentOnlyWhereTheyMayBeFaster) {
  const Problem problem = timed(kNetwork, CollectiveKind::kAllgather, Switching::kWormhole);
  const std::optional<Choice> lent = packets_by_time(problem, kBytes, kNever);
  ASSERT_TRUE(lent);
  EXPECT_THAT(lent->name(), ::testing::StartsWith("packet("));
  const double time = time_for(*lent, kBytes);
  EXPECT_TRUE(packets_by_time(problem, kBytes, 1.001 * time));
  EXPECT_FALSE(packets_by_time(problem, kBytes, time));
  EXPECT_FALSE(
      packets_by_time(timed(kNetwork, CollectiveKind::kBroadcast, Switching::kWormhole), kBytes, kNever));
  EXPECT_FALSE(packets_by_time(timed(kNetwork, CollectiveKind::kAllgather, Switching::kPacket, Packets::kOne),
                               kBytes, kNever));
}

TEST(LargeLoans, NoPlanInOnePieceBeatsWhatItMustTake) {
  for (const CollectiveKind kind :
       {CollectiveKind::kAllgather, CollectiveKind::kBroadcast, CollectiveKind::kAllreduce}) {
    const Problem problem = timed("torus(12,12)", kind, Switching::kWormhole);
    const Compiled made = compile(problem, {.bytes = kBytes});
    ASSERT_TRUE(made.verdict.passed());
    EXPECT_LE(least_time_as_it_is(problem, kBytes), made.time->total * (1 + 1e-9)) << name_of(kind);
    EXPECT_GE(least_time_as_it_is(problem, kBytes), made.time->least * (1 - 1e-9)) << name_of(kind);
  }
}

}  // namespace large_loans_test
}  // namespace quadrille
