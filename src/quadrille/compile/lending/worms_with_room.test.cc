#include "quadrille/compile/lending/worms_with_room.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace worms_with_room_test {

TEST(WormsWithRoom, HaveALaneOfEachLinkForThemselves) {
  const Problem problem = standard_problem(parse_topology("line(2)"), CollectiveKind::kAllreduce,
                                           {.switching = Switching::kWormhole}, kNoNode, 2);
  Plan plan;
  WormsWithRoom with_room(problem, plan);
  StepBuilder step;
  // A link is free again in the next step.
  for (const uint32_t block : {0U, 1U}) {
    step.add(ArcId{0}, BlockId{block});
    step.add(ArcId{1}, BlockId{block});
    step.flush(with_room);
  }
  EXPECT_EQ(plan.num_steps(), 2U);
  step.add(ArcId{0}, BlockId{0});
  step.add(ArcId{0}, BlockId{1}, TransferOp::kCopy);
  EXPECT_THROW(step.flush(with_room), InputError);
  EXPECT_EQ(plan.num_steps(), 2U);
}

}  // namespace worms_with_room_test
}  // namespace quadrille
