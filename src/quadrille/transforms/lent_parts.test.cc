// What one plan holds for another collective: needed_part.h, personalised.h, without_waste.h.
#include <gtest/gtest.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/needed_part.h"
#include "quadrille/transforms/personalised.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/transforms/without_waste.h"
#include "quadrille/verify/verify.h"

namespace quadrille::lent_parts_test {
namespace {

// Every plan that there is for the problem.
template <typename Use>
void for_each_plan(const Problem& problem, Use use) {
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    const Preparation ready = prepare(*card, problem);
    if (!ready.fits.applies) continue;
    for (const PreparedPlan& prepared : ready.plans) {
      SCOPED_TRACE(::testing::Message() << card->name << ":" << prepared->member() << " " << problem.title());
      Plan plan;
      prepared->generate(plan);
      use(plan);
    }
  }
}

std::string verdict_of(const Problem& problem, const Plan& plan) {
  const Verification judged = verify(problem, plan);
  return judged.verdict.passed() ? "" : to_text(judged.verdict.findings.front());
}

Problem problem_of(const char* spec, CollectiveKind kind, Switching switching, uint32_t pieces) {
  const Topology topology = parse_topology(spec);
  return standard_problem(topology, kind, {.switching = switching}, topology.endpoints().back(), pieces);
}

constexpr const char* kNetworks[] = {"line(1)",    "line(2)",       "ring(5)",  "mesh(2,3)",
                                     "torus(3,3)", "fat_tree(2^2)", "tree(2,2)"};

TEST(NeededPart, SolvesTheEasierCollectiveInNoMoreSteps) {
  for (const char* spec : kNetworks) {
    for (const Switching switching : {Switching::kPacket, Switching::kWormhole}) {
      for (const uint32_t pieces : {1U, 2U}) {
        for (const CollectiveKind whole : kCollectiveKinds) {
          for_each_plan(problem_of(spec, whole, switching, pieces), [&](const Plan& plan) {
            for (const CollectiveKind easy : kCollectiveKinds) {
              if (!holds(whole, easy)) continue;
              const Problem part = problem_of(spec, easy, switching, pieces);
              const std::optional<Plan> made =
                  needed_part(problem_of(spec, whole, switching, pieces), plan, part);
              if (!made) continue;
              EXPECT_EQ(verdict_of(part, *made), "") << name_of(easy);
              EXPECT_LE(made->num_steps(), plan.num_steps());
            }
          });
        }
      }
    }
  }
}

TEST(NeededPart, IsTheWaysOfTheContributionsWhereTheRootGetsItsSumAsACopy) {
  const Problem whole = problem_of("line(3)", CollectiveKind::kAllreduce, Switching::kPacket, 1);
  const Problem part = problem_of("line(3)", CollectiveKind::kReduce, Switching::kPacket, 1);
  const auto arc = [&](uint32_t from, uint32_t to) {
    return *whole.topology().find_arc(id_at<NodeId>(from), id_at<NodeId>(to));
  };
  Plan plan;
  StepBuilder step;
  step.add(arc(0, 1), BlockId{0});
  step.add(arc(2, 1), BlockId{0});
  step.flush(plan);
  step.add(arc(1, 0), BlockId{0}, TransferOp::kCopy);
  step.add(arc(1, 2), BlockId{0}, TransferOp::kCopy);
  step.flush(plan);
  EXPECT_EQ(verdict_of(whole, plan), "");
  const std::optional<Plan> made = needed_part(whole, plan, part);
  ASSERT_TRUE(made);
  EXPECT_EQ(verdict_of(part, *made), "");
  EXPECT_EQ(made->num_transfers(), 2U);
}

TEST(Personalised, SolvesScatterAndAlltoallInAsManySteps) {
  using enum CollectiveKind;
  for (const char* spec : kNetworks) {
    for (const uint32_t pieces : {1U, 2U}) {
      for (const auto& [copied, personal] :
           {std::pair(kBroadcast, kScatter), std::pair(kAllgather, kAlltoall)}) {
        const Problem from = problem_of(spec, copied, Switching::kWormhole, pieces);
        const Problem to = problem_of(spec, personal, Switching::kWormhole, pieces);
        for_each_plan(from, [&](const Plan& plan) {
          const Plan made = personalised(from, plan, to);
          EXPECT_EQ(verdict_of(to, made), "");
          EXPECT_LE(made.num_steps(), plan.num_steps());
        });
      }
    }
  }
}

TEST(WithoutWaste, CopiesCanBeReadBackwardsWhereThereAreRouters) {
  for (const char* spec : {"fat_tree(2^2)", "fat_tree(3^2)", "torus(3,3)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kAllgather}) {
      const Problem problem = problem_of(spec, kind, Switching::kPacket, 2);
      for_each_plan(problem, [&](const Plan& plan) {
        const Plan lean = without_waste(problem, plan);
        EXPECT_EQ(verdict_of(problem, lean), "");
        EXPECT_EQ(lean.num_steps(), plan.num_steps());
        EXPECT_EQ(verdict_of(reversed(problem), reverse(problem, lean)), "");
      });
    }
  }
}

}  // namespace
}  // namespace quadrille::lent_parts_test
