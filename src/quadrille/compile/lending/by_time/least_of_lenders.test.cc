#include "quadrille/compile/lending/by_time/least_of_lenders.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace least_of_lenders_test {

Problem asked(const std::string& spec, CollectiveKind kind, Ports ports, Packets packets = Packets::kMany) {
  return standard_problem(
      parse_topology(spec), kind,
      {.send = ports, .receive = ports, .packets = packets, .cost = {.ts = 100, .tx = 1}});
}

double least(const Problem& problem, uint64_t bytes) {
  return LeastOfLenders(problem.topology()).time(problem, bytes);
}

TEST(LeastOfLenders, IsWhatANodeSendsOrReceives) {
  EXPECT_DOUBLE_EQ(least(asked("ring(9)", CollectiveKind::kAllgather, kAllPorts), 10), 8 * 10 / 2.0);
  EXPECT_DOUBLE_EQ(least(asked("ring(9)", CollectiveKind::kAllgather, kOnePort), 10), 8 * 10);
  EXPECT_DOUBLE_EQ(least(asked("ring(9)", CollectiveKind::kGather, kOnePort, Packets::kOne), 10),
                   8 * (100 + 10));
}

TEST(LeastOfLenders, CountsTheHopsOfAnExchange) {
  // 8 nodes to each of 7 others over 1, 1, 2, 2, 3, 3 and 4 links, of which there are 16.
  EXPECT_DOUBLE_EQ(least(asked("ring(8)", CollectiveKind::kAlltoall, kAllPorts), 10), 8 * 16 / 16.0 * 10);
  EXPECT_DOUBLE_EQ(least(asked("ring(8)", CollectiveKind::kAlltoall, kOnePort), 10), 8 * 16 / 8.0 * 10);
}

TEST(LeastOfLenders, TakesOverWhatAnotherHasFound) {
  const Problem problem = asked("mesh(3,4)", CollectiveKind::kAllreduce, kAllPorts);
  LeastOfLenders one(problem.topology());
  LeastOfLenders other(problem.topology());
  const double time = other.time(problem, 64);
  EXPECT_GT(time, 0);
  one.take_over(other);
  EXPECT_DOUBLE_EQ(one.time(problem, 64), time);
}

}  // namespace least_of_lenders_test
}  // namespace quadrille
