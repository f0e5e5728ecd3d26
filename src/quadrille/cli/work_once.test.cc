// How often each command lets an algorithm make its plan, and the judge look at it.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "quadrille/base/work_count.h"
#include "quadrille/cli/command_outcome.test.h"

namespace quadrille {
namespace work_once_test {

struct Passes {
  const char* line;
  uint64_t generated;
  uint64_t judged;
  uint64_t laid_out = 0;
};

std::ostream& operator<<(std::ostream& out, const Passes& passes) { return out << passes.line; }

constexpr const char* kPlan = R"~(quadrille-plan 1
topology ring(3)
collective alltoall
model send=1 receive=1 switching=wormhole
synchronisation
barrier after=1
step
0>1: 0-1
1>2: 1-2
2>0: 2-0
step
0>2: 0-2
1>0: 1-0
2>1: 2-1
)~";

// Once each. The front makes what could be lent, to measure it: plans in messages of several packets. Where rearranging costs time, candidates are made so that their arrays can be measured: if the
// one that is chosen is among them (in mesh(8,8)), it is not made again.
constexpr Passes kPasses[] = {
    {"plan alltoall torus(4,4)", 1, 1},
    {"plan alltoall torus(4,4) --queues any", 1, 1},
    {"plan alltoall torus(4,4) --by-step --steps", 1, 1},
    {"plan alltoall torus(4,4) --ports one --slices", 1, 1, 1},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1", 5, 5, 4},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --slices", 5, 5, 5},
    {"plan alltoall mesh(8,8) --ports one --switching wormhole --tx 1 --rho 0.1 --slices", 1, 1, 1},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --compare", 4, 6, 4},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --compare", 0, 0},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --frontier", 3, 0},
    {"explain alltoall_mesh --on mesh(4,4)", 0, 0},
    {"run alltoall ring(4) --queues any", 1, 1},
    {"run alltoall ring(4) --ports one --slices", 1, 1, 1},
    {"sync alltoall ring(4)", 1, 1},
    {"sync alltoall ring(4) -o -", 1, 1},
    {"verify - --max-findings 3 -o -", 0, 1},
    {"verify - --queues --slices", 0, 1, 1},
};

class WorkOnce : public ::testing::TestWithParam<Passes> {};

TEST_P(WorkOnce, NoPlanIsMadeOrJudgedTwice) {
  const Passes& expected = GetParam();
  const uint64_t generated = work_counted(Work::kGenerating);
  const uint64_t judged = work_counted(Work::kJudging);
  const uint64_t laid_out = work_counted(Work::kLayingOut);
  const CommandOutcome outcome = run_line(expected.line, kPlan);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const uint64_t made = work_counted(Work::kGenerating) - generated;
  const uint64_t looked_at = work_counted(Work::kJudging) - judged;
  EXPECT_EQ(made, expected.generated);
  EXPECT_EQ(looked_at, expected.judged);
  EXPECT_EQ(work_counted(Work::kLayingOut) - laid_out, expected.laid_out);
}

INSTANTIATE_TEST_SUITE_P(Commands, WorkOnce, ::testing::ValuesIn(kPasses));

}  // namespace work_once_test
}  // namespace quadrille
