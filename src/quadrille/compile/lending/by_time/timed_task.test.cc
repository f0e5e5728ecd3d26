#include "quadrille/compile/lending/by_time/timed_task.h"

#include <gtest/gtest.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::timed_task_test {

TEST(TaskBounds, WhatTakesLongIsAskedWhereTheRestIsNotEnough) {
  // On hosts with one port a solver knows of a step more than what is known in a moment.
  const Problem problem = standard_problem(parse_topology("jellyfish(8,3,2;1)"), CollectiveKind::kAllreduce,
                                           {.send = kOnePort, .receive = kOnePort});
  const TimedTask task{problem, false, 64, 1};
  const double soon = LeastTime(problem, quick_bounds(problem))(64).time;
  const double all = LeastTime(problem, all_bounds(problem))(64).time;
  ASSERT_LT(soon, all);
  EXPECT_EQ(TaskBounds(true).bound(task, soon), soon);
  EXPECT_EQ(TaskBounds(true).bound(task, (soon + all) / 2), all);
}

}  // namespace quadrille::timed_task_test
