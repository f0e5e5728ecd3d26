// How often each command lets an algorithm make its plan, and the judge look at it.
#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "quadrille/base/work_count.h"
#include "quadrille/cli/command.h"

namespace quadrille {
namespace {

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

constexpr Passes kPasses[] = {
    {"plan alltoall torus(4,4)", 1, 1},
    {"plan alltoall torus(4,4) --queues any", 1, 1},
    {"plan alltoall torus(4,4) --by-step --steps", 1, 1},
    {"plan alltoall torus(4,4) --ports one --slices", 1, 1},
    // Two candidates, whose arrays are measured: the chosen one is kept.
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1", 2, 2},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --slices --queues any", 2, 2},
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
  const uint64_t generated = work_counted(Work::kGenerating);
  const uint64_t judged = work_counted(Work::kJudging);
  EXPECT_EQ(run_command(split_command_line(GetParam().line), console), 0) << err.str();
  EXPECT_EQ(work_counted(Work::kGenerating) - generated, GetParam().generated);
  EXPECT_EQ(work_counted(Work::kJudging) - judged, GetParam().judged);
}

INSTANTIATE_TEST_SUITE_P(Commands, WorkOnce, ::testing::ValuesIn(kPasses));

}  // namespace
}  // namespace quadrille
