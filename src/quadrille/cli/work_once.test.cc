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
  const char* why_twice = nullptr;
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

constexpr const char* kMade = "one pass for the figures, another for a Schedule";
constexpr const char* kMeasured = "the candidates' arrays are measured, then the chosen one is made again";
constexpr const char* kRead = "one pass for the figures, another for each Schedule";

// Once each, but where the last column says why not yet; never more than that.
constexpr Passes kPasses[] = {
    {"plan alltoall torus(4,4)", 1, 1},
    {"plan alltoall torus(4,4) --queues any", 1, 1},
    {"plan alltoall torus(4,4) --by-step --steps", 1, 1},
    {"plan alltoall torus(4,4) --ports one --slices", 2, 2, kMade},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1", 3, 3, kMeasured},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --slices", 4, 4, kMeasured},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --rho 1 --compare", 2, 2},  // two candidates
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --compare", 0, 0},
    {"plan alltoall mesh(4,4) --ports one --switching wormhole --frontier", 0, 0},
    {"explain alltoall_mesh --on mesh(4,4)", 0, 0},
    {"run alltoall ring(4) --queues any", 1, 1},
    {"run alltoall ring(4) --ports one --slices", 1, 1},
    {"sync alltoall ring(4)", 1, 1},
    {"sync alltoall ring(4) -o -", 1, 1},
    {"verify - --max-findings 3 -o -", 0, 2, kRead},
    {"verify - --queues --slices", 0, 3, kRead},
};

class WorkOnce : public ::testing::TestWithParam<Passes> {};

TEST_P(WorkOnce, NoPlanIsMadeOrJudgedTwice) {
  std::istringstream in(kPlan);
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const Passes& most = GetParam();
  const uint64_t generated = work_counted(Work::kGenerating);
  const uint64_t judged = work_counted(Work::kJudging);
  EXPECT_EQ(run_command(split_command_line(most.line), console), 0) << err.str();
  const uint64_t made = work_counted(Work::kGenerating) - generated;
  const uint64_t looked_at = work_counted(Work::kJudging) - judged;
  if (most.why_twice == nullptr) {
    EXPECT_EQ(made, most.generated);
    EXPECT_EQ(looked_at, most.judged);
  } else {
    EXPECT_LE(made, most.generated) << most.why_twice;
    EXPECT_LE(looked_at, most.judged) << most.why_twice;
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, WorkOnce, ::testing::ValuesIn(kPasses));

}  // namespace
}  // namespace quadrille
