// A plan that one of several has read is the same plan at all of them, and what cannot be read is everybody's error.
#include "quadrille/schedule/shared/shared_plan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/testing/thread_crew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace shared_plan_test {
namespace {

struct Case {
  const char* spec;
  CollectiveKind kind;
  Model model;
  const char* algorithm;
};
const Case kCases[] = {
    {"torus(4,5)", CollectiveKind::kAlltoall, {}, "auto"},
    {"mesh(3,4)", CollectiveKind::kBroadcast, {.switching = Switching::kWormhole}, "auto"},
    {"torus(4,4)", CollectiveKind::kAllreduce, {.packets = Packets::kMany}, "auto"},
    {"fat_tree(2^3)", CollectiveKind::kAlltoall, {.switching = Switching::kShared}, "auto"},
    // Slots for partial sums, and copies.
    {"complete(6)", CollectiveKind::kAllreduce, {.send = kOnePort, .receive = kOnePort}, "auto"},
    // Steps enough for several rounds of handing out.
    {"torus(40,40)", CollectiveKind::kAlltoall, {.send = kOnePort, .receive = kOnePort}, "alltoall_cayley"},
};

PlanFile file_of(const Case& one) {
  const Problem problem = standard_problem(parse_topology(one.spec), one.kind, one.model);
  Compiled made = compile(problem, {.algorithm = one.algorithm});
  return {{made.head}, made.schedule->plan()};
}

TEST(SharedPlan, IsTheSameAtAll) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.spec);
    const PlanFile file = file_of(one);
    std::atomic<int> read = 0;
    std::atomic<int> same = 0;
    testing::ThreadCrew::run(3, [&](Crew& crew) {
      const SharedPlan shared(crew, [&] {
        ++read;
        return file;
      });
      Plan plan;
      shared.replay(plan);
      if (shared.head() == file && plan == file.plan) ++same;
    });
    EXPECT_EQ(read, 1);
    EXPECT_EQ(same, 3);
  }
}

TEST(SharedPlan, IsJudgedAsByOneAlone) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.spec);
    const PlanFile file = file_of(one);
    const Compiled alone = judge_plan(PlanFile(file));
    for (const bool stored : {false, true}) {
      std::atomic<int> alike = 0;
      testing::ThreadCrew::run(2, [&](Crew& crew) {
        const SharedPlan shared(crew, [&] { return file; });
        const Compiled all = judge_plan(shared, {.stored = stored, .crew = &crew});
        if (all.good() && all.verdict.figures == alone.verdict.figures &&
            all.schedule.has_value() == stored && all.bounds.size() == alone.bounds.size())
          ++alike;
      });
      EXPECT_EQ(alike, 2);
    }
  }
}

TEST(SharedPlan, WhatCannotBeReadIsEverybodysError) {
  std::atomic<int> refused = 0;
  testing::ThreadCrew::run(3, [&](Crew& crew) {
    try {
      const SharedPlan shared(crew, [] { return read_plan_json("{", "net.json"); });
    } catch (const InputError& error) {
      if (std::string(error.what()).find("net.json") != std::string::npos) ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
}

}  // namespace
}  // namespace shared_plan_test
}  // namespace quadrille
