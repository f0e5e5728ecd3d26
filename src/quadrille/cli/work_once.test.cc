// How often each command lets an algorithm make its plan, and the judge look at it.
#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "quadrille/base/work_count.h"
#include "quadrille/cli/command.h"

namespace quadrille {
namespace work_once_test {

struct Passes {
  const char* line;
  uint64_t generated;
  uint64_t judged;
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

// Once each. Where rearranging costs time, candidates are made so that their arrays can be measured: if the
// one that is chosen is among them (in mesh(8,8)), it is not made again.
constexpr Passes kPasses[] = {
    {"plan alltoall torus(4,4)", 1, 1},
    {"plan alltoall torus(4,4) --queues any", 1, 1},
    {"plan alltoall torus(4,4) --by-step --steps", 1, 1},
    {"plan alltoall torus(4,4) --ports one --slices", 1, 1},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1", 3, 3},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --slices", 3, 3},
    {"plan alltoall mesh(8,8) --ports one --switching wormhole --tx 1 --rho 0.1 --slices", 1, 1},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --compare", 2, 2},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --compare", 0, 0},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --frontier", 0, 0},
    {"explain alltoall_mesh --on mesh(4,4)", 0, 0},
    {"run alltoall ring(4) --queues any", 1, 1},
    {"run alltoall ring(4) --ports one --slices", 1, 1},
    {"sync alltoall ring(4)", 1, 1},
    {"sync alltoall ring(4) -o -", 1, 1},
    {"verify - --max-findings 3 -o -", 0, 1},
    {"verify - --queues --slices", 0, 1},
};

class WorkOnce : public ::testing::TestWithParam<Passes> {};

TEST_P(WorkOnce, NoPlanIsMadeOrJudgedTwice) {
  std::istringstream in(kPlan);
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const Passes& expected = GetParam();
  const uint64_t generated = work_counted(Work::kGenerating);
  const uint64_t judged = work_counted(Work::kJudging);
  EXPECT_EQ(run_command(split_command_line(expected.line), console), 0) << err.str();
  const uint64_t made = work_counted(Work::kGenerating) - generated;
  const uint64_t looked_at = work_counted(Work::kJudging) - judged;
  EXPECT_EQ(made, expected.generated);
  EXPECT_EQ(looked_at, expected.judged);
}

INSTANTIATE_TEST_SUITE_P(Commands, WorkOnce, ::testing::ValuesIn(kPasses));

}  // namespace work_once_test
}  // namespace quadrille
